#include "cuda/module/attributes.h"

#include <cerrno>
#include <cstdlib>

#include "cuda/module/failure.h"

namespace divdet::cuda {
namespace {

std::int64_t integerOf(const std::string& key, const std::string& value) {
    char* end = nullptr;
    errno = 0;
    const long long n = std::strtoll(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0' || errno != 0) invalid("attribute " + key + " is no integer: " + value);
    return n;
}

} // namespace

Attributes::Attributes(const divdet_op& op) {
    for (std::uint32_t i = 0; i < op.attribute_count; ++i) {
        const divdet_attribute& a = op.attributes[i];
        if (!a.key || !a.value) invalid("an attribute without key or value");
        m_entries[a.key].value = a.value;
    }
}

std::string Attributes::text(const std::string& key, std::string_view fallback) const {
    const auto found = m_entries.find(key);
    if (found == m_entries.end()) return std::string(fallback);
    found->second.read = true;
    return found->second.value;
}

std::int64_t Attributes::integer(const std::string& key, std::int64_t fallback) const {
    const std::string value = text(key, "");
    return value.empty() ? fallback : integerOf(key, value);
}

std::uint64_t Attributes::seed(const std::string& key) const {
    const std::string value = text(key, "0");
    char* end = nullptr;
    errno = 0;
    const unsigned long long n = std::strtoull(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0' || errno != 0) invalid("attribute " + key + " is no seed: " + value);
    return n;
}

float Attributes::number(const std::string& key, float fallback) const {
    const std::string value = text(key, "");
    if (value.empty()) return fallback;
    char* end = nullptr;
    const float x = std::strtof(value.c_str(), &end);
    if (*end != '\0') invalid("attribute " + key + " is no number: " + value);
    return x;
}

std::vector<std::int64_t> Attributes::integers(const std::string& key) const {
    const std::string value = text(key, "");
    std::vector<std::int64_t> all;
    for (std::size_t at = 0; at < value.size();) {
        const std::size_t comma = std::min(value.find(',', at), value.size());
        all.push_back(integerOf(key, value.substr(at, comma - at)));
        at = comma + 1;
    }
    return all;
}

int Attributes::position(const std::string& key, std::initializer_list<std::string_view> names) const {
    const std::string value = text(key, *names.begin());
    int at = 0;
    for (std::string_view name : names) {
        if (value == name) return at;
        ++at;
    }
    unsupported("attribute " + key + " has no value " + value);
}

void Attributes::refuseRest() const {
    for (const auto& [key, entry] : m_entries)
        if (!entry.read) unsupported("attribute " + key + " means nothing to this op");
}

} // namespace divdet::cuda
