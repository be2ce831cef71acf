#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace divdet {

/// Parts between separators, without the empty ones.
inline std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> out;
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        if (const auto part = text.substr(0, end); !part.empty()) out.emplace_back(part);
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return out;
}

} // namespace divdet
