#include "dump/text_encoding.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

namespace divdet {

namespace {

/// Bytes of the character at `at` and its code; 0 where no well-formed character starts.
std::size_t characterAt(std::string_view text, std::size_t at, std::uint32_t& code) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc2 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                               : lead < 0xf5 ? 4
                                             : 0;
    if (length == 0 || at + length > text.size()) return 0;
    code = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        const auto next = static_cast<unsigned char>(text[at + k]);
        if ((next & 0xc0) != 0x80) return 0;
        code = code << 6 | (next & 0x3f);
    }
    constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
    return length;
}

/// Characters that steer a terminal or reorder the line instead of being seen: C0, DEL, C1, line and
/// paragraph separators, the bidirectional controls, the byte-order mark.
bool steers(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xfeff;
}

} // namespace

bool isUtf8(std::string_view text) {
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = characterAt(text, i, code);
        if (length == 0) return false;
        i += length;
    }
    return true;
}

std::string printable(std::string_view text, std::size_t longest) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        std::uint32_t code = 0;
        const std::size_t length = characterAt(text, i, code);
        if (i + std::max<std::size_t>(length, 1) > longest) return out + "…";
        if (length == 0 || (steers(code) && code < 0x80))
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
        else if (steers(code))
            out += fmt::format("\\u{:04x}", code);
        else
            out += text.substr(i, length);
        i += std::max<std::size_t>(length, 1);
    }
    return out;
}

void appendUtf8(std::string& out, char32_t c) {
    const auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xc0 | c >> 6);
        put(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        put(0xe0 | c >> 12);
        put(0x80 | (c >> 6 & 0x3f));
        put(0x80 | (c & 0x3f));
    } else {
        put(0xf0 | c >> 18);
        put(0x80 | (c >> 12 & 0x3f));
        put(0x80 | (c >> 6 & 0x3f));
        put(0x80 | (c & 0x3f));
    }
}

std::string latin1ToUtf8(std::string_view text) {
    std::string out;
    for (const char c : text) appendUtf8(out, static_cast<unsigned char>(c));
    return out;
}

std::string inQuotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    return "'" + printable(text, longest) + "'";
}

std::string someOf(std::span<const std::string> names) {
    constexpr std::size_t most = 12, longest = 60;
    std::string out;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
        out += (i ? ", " : "") + printable(names[i], longest);
    return names.size() > most ? fmt::format("{} and {} more", out, names.size() - most) : out;
}

} // namespace divdet
