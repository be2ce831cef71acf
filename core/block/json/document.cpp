#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "block/json/fields.h"

namespace divdet::block::json {
namespace {

constexpr int kMaxDepth = 8;

/// Watches the parser: it drops everything once a rule is broken, so that a hostile text costs no memory.
class Watch {
public:
    bool operator()(int depth, Json::parse_event_t event, Json& value) {
        if (broken()) return false;
        const auto level = static_cast<std::size_t>(depth < 0 ? 0 : depth);
        if (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start) {
            m_tooDeep = depth >= kMaxDepth;
            if (m_keys.size() < level + 2) m_keys.resize(level + 2);
            m_keys[level + 1].clear();
        }
        if (event == Json::parse_event_t::key) {
            const auto& key = value.get_ref<const std::string&>();
            if (!m_keys[level].insert(key).second) m_twice = key;
        }
        return !broken();
    }
    bool broken() const { return m_tooDeep || m_twice.has_value(); }
    Error error() const {
        if (m_tooDeep)
            return {ErrorCode::refused, fmt::format("the text is more than {} levels deep", kMaxDepth), "",
                    ""};
        return {ErrorCode::malformed, "a key stands twice in one object", m_twice.value_or(""), ""};
    }

private:
    std::vector<std::set<std::string>> m_keys;
    std::optional<std::string> m_twice;
    bool m_tooDeep = false;
};

} // namespace

Result<Json> parseDocument(std::string_view text, std::size_t maxBytes) {
    if (text.size() > maxBytes)
        return Error{ErrorCode::refused, fmt::format("the text has {} bytes", text.size()), "",
                     fmt::format("at most {} are read", maxBytes)};
    Watch watch;
    try {
        Json document =
            Json::parse(text.begin(), text.end(), [&](int depth, Json::parse_event_t event, Json& value) {
                return watch(depth, event, value);
            });
        if (watch.broken()) return watch.error();
        return document;
    } catch (const Json::parse_error& e) {
        if (watch.broken()) return watch.error();
        return Error{ErrorCode::malformed, "the text is no JSON", "", "", e.byte ? e.byte - 1 : 0};
    } catch (const Json::exception&) { // a number beyond double
        if (watch.broken()) return watch.error();
        return Error{ErrorCode::malformed, "a number is beyond what a double holds", "", ""};
    }
}

} // namespace divdet::block::json
