#include "block/attributes.h"

#include <fmt/format.h>

namespace divdet::block {

double numberOr(const Attributes& attributes, const std::string& name, double fallback) {
    const auto it = attributes.find(name);
    if (it == attributes.end()) return fallback;
    if (const auto* d = std::get_if<double>(&it->second)) return *d;
    if (const auto* i = std::get_if<std::int64_t>(&it->second)) return static_cast<double>(*i);
    return fallback;
}

std::int64_t integerOr(const Attributes& attributes, const std::string& name, std::int64_t fallback) {
    const auto it = attributes.find(name);
    if (it == attributes.end()) return fallback;
    const auto* i = std::get_if<std::int64_t>(&it->second);
    return i ? *i : fallback;
}

std::string toString(const Attributes& attributes) {
    std::string text;
    for (const auto& [name, value] : attributes) {
        if (!text.empty()) text += ',';
        text += std::visit([&name = name](const auto& v) { return fmt::format("{}={}", name, v); }, value);
    }
    return text;
}

} // namespace divdet::block
