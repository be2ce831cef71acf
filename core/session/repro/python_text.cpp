#include "session/repro/python_text.h"

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "dump/text_encoding.h"

namespace divdet {
namespace {

/// The character at the front and its bytes.
struct Character {
    char32_t code;
    std::size_t bytes;
};

Character firstOf(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (text.size() < bytes || !isUtf8(text.substr(0, bytes))) return {0xFFFD, 1};
    char32_t code = lead & (0x7Fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
    return {code, bytes};
}

} // namespace

std::string pythonText(std::string_view text) {
    std::string out = "'";
    while (!text.empty()) {
        const auto [code, bytes] = firstOf(text);
        text.remove_prefix(bytes);
        const auto number = static_cast<std::uint32_t>(code);
        if (code == '\'' || code == '\\') out += '\\';
        if (code >= 0x20 && code < 0x7F)
            out += static_cast<char>(code);
        else
            out += number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
    }
    return out + "'";
}

} // namespace divdet
