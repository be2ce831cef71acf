#pragma once
#include <charconv>
#include <optional>
#include <string_view>

namespace divdet::lower {

/// N of a variant `PREFIXN` within [low, high]; nullopt for anything else.
inline std::optional<int> countedVariant(std::string_view text, std::string_view prefix, int low, int high) {
    if (!text.starts_with(prefix)) return std::nullopt;
    text.remove_prefix(prefix.size());
    int n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size() || n < low || n > high) return std::nullopt;
    return n;
}

} // namespace divdet::lower
