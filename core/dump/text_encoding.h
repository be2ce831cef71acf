#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace divdet {

/// Well-formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool isUtf8(std::string_view text);

std::string latin1ToUtf8(std::string_view text);

void appendUtf8(std::string& out, char32_t codePoint);

/// `text` for a screen, one line of it: bytes that are not UTF-8 and control characters as \xNN, other
/// characters that steer a terminal or reorder a line (C1, bidirectional controls) as \uNNNN; cut with …
/// after `longest` bytes of the text. The result is well-formed UTF-8.
std::string printable(std::string_view text, std::size_t longest = std::string_view::npos);

/// `text` for a message: quoted, printable, cut after 60 bytes.
std::string inQuotes(std::string_view text);

/// The first names for a message, with commas: `a, b, c and 5 more`.
std::string someOf(std::span<const std::string> names);

} // namespace divdet
