#pragma once
#include <string>
#include <string_view>

namespace divdet {

/// Well-formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool isUtf8(std::string_view text);

std::string latin1ToUtf8(std::string_view text);

void appendUtf8(std::string& out, char32_t codePoint);

/// `text` for a message: quoted, control bytes as \xNN, cut after some 60 bytes.
std::string inQuotes(std::string_view text);

} // namespace divdet
