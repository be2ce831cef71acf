#include "block/json/fields.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "block/graph_json.h"

namespace divdet::block::json {

Error Field::wrong(std::string what, std::string hint) const {
    return {ErrorCode::malformed, std::move(what), m_place, std::move(hint)};
}

Result<std::string> Field::text() const {
    if (!m_value->is_string()) return wrong("a text is due here");
    const auto& s = m_value->get_ref<const std::string&>();
    if (s.empty()) return wrong("the text is empty");
    if (s.size() > kMaxNameLength)
        return wrong(fmt::format("the text has {} bytes", s.size()),
                     fmt::format("at most {} are read", kMaxNameLength));
    const bool control =
        std::any_of(s.begin(), s.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
    if (control) return wrong("the text has control characters");
    return s;
}

Result<std::int64_t> Field::whole() const {
    if (!m_value->is_number_integer()) return wrong("a whole number is due here");
    if (m_value->is_number_unsigned() && m_value->get<std::uint64_t>() > INT64_MAX)
        return wrong("the number is beyond 63 bits");
    return m_value->get<std::int64_t>();
}

Result<double> Field::number() const {
    if (!m_value->is_number()) return wrong("a number is due here");
    const double x = m_value->get<double>();
    if (!std::isfinite(x)) return wrong("the number is not finite");
    return x;
}

Result<bool> Field::truth() const {
    if (!m_value->is_boolean()) return wrong("true or false is due here");
    return m_value->get<bool>();
}

Status Field::object(std::initializer_list<std::string_view> keys) const {
    if (!m_value->is_object()) return wrong("an object is due here");
    for (const auto& item : m_value->items())
        if (std::find(keys.begin(), keys.end(), item.key()) == keys.end())
            return wrong(fmt::format("there is no field {} here", item.key()),
                         fmt::format("the fields are {}", fmt::join(keys, ", ")));
    return Done{};
}

Status Field::array() const {
    if (!m_value->is_array()) return wrong("a list is due here");
    return Done{};
}

Result<Field> Field::at(std::string_view key) const {
    const auto it = m_value->find(key);
    if (it == m_value->end()) return wrong(fmt::format("the field {} is missing", key));
    return Field(*it, m_place.empty() ? std::string(key) : fmt::format("{}.{}", m_place, key));
}

Field Field::operator[](std::size_t index) const {
    return Field((*m_value)[index], fmt::format("{}[{}]", m_place, index));
}

} // namespace divdet::block::json
