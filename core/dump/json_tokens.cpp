#include "dump/json_tokens.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace divdet {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// The grammar of RFC 8259, section 6.
bool isNumber(std::string_view t) {
    std::size_t i = 0;
    const auto digits = [&] {
        const std::size_t first = i;
        while (i < t.size() && isDigit(t[i])) ++i;
        return i > first;
    };
    if (i < t.size() && t[i] == '-') ++i;
    const std::size_t whole = i;
    if (!digits() || (t[whole] == '0' && i > whole + 1)) return false;
    if (i < t.size() && t[i] == '.') {
        ++i;
        if (!digits()) return false;
    }
    if (i < t.size() && (t[i] == 'e' || t[i] == 'E')) {
        ++i;
        if (i < t.size() && (t[i] == '+' || t[i] == '-')) ++i;
        if (!digits()) return false;
    }
    return i == t.size();
}

bool isWord(std::string_view t) {
    return t == "true" || t == "false" || t == "null" || t == "NaN" || t == "Infinity" || t == "-Infinity";
}

/// Of the escape at p, 2 or 6 characters; 0 for one that does not exist.
std::size_t escapeLength(const char* p, std::uint64_t left) {
    if (left < 2) return 0;
    if (p[1] != 'u') return std::string_view("\"\\/bfnrt").find(p[1]) != std::string_view::npos ? 2 : 0;
    if (left < 6) return 0;
    for (int i = 2; i < 6; ++i) {
        const char c = p[i];
        if (!isDigit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F')) return 0;
    }
    return 6;
}

/// Position of the first byte below a space; `size` when there is none.
std::size_t firstControl(const char* p, std::size_t size) {
    constexpr std::size_t block = 256;
    std::size_t at = 0;
    for (; at + block <= size; at += block) {
        bool any = false;
        for (std::size_t i = 0; i < block; ++i) any |= static_cast<unsigned char>(p[at + i]) < 0x20;
        if (any) break;
    }
    while (at < size && static_cast<unsigned char>(p[at]) >= 0x20) ++at;
    return at;
}

} // namespace

JsonToken JsonTokens::fail(const char* what, std::uint64_t at, bool truncated) const {
    JsonToken t;
    t.kind = JsonTokenKind::fault;
    t.fault = what;
    t.offset = at;
    t.truncated = truncated;
    return t;
}

JsonToken JsonTokens::string() {
    JsonToken t;
    t.kind = JsonTokenKind::string;
    t.offset = m_at;
    const std::uint64_t first = ++m_at;
    const auto find = [this](char c, std::uint64_t end) {
        const void* at = m_at < end ? std::memchr(m_text + m_at, c, end - m_at) : nullptr;
        return at ? static_cast<std::uint64_t>(static_cast<const char*>(at) - m_text) : end;
    };
    std::uint64_t quote = find('"', m_size);
    // Each escape is stepped over as a whole, so that its second character is never taken for the quote.
    for (std::uint64_t slash = find('\\', quote); slash < quote; slash = find('\\', quote)) {
        t.escaped = true;
        const std::size_t length = escapeLength(m_text + slash, m_size - slash);
        if (length == 0) return fail("an escape that JSON does not have", slash, m_size - slash < 6);
        m_at = slash + length;
        if (quote < m_at) quote = find('"', m_size);
    }
    if (quote == m_size) return fail("a text is not closed", t.offset, true);
    m_at = quote + 1;
    t.text = {first, quote - first};
    const std::size_t control = firstControl(m_text + first, t.text.size);
    if (control < t.text.size) return fail("a control character in a text", first + control);
    return t;
}

JsonToken JsonTokens::scalar() {
    JsonToken t;
    t.kind = JsonTokenKind::scalar;
    t.offset = m_at;
    constexpr std::string_view chars = "+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    while (m_at < m_size && chars.find(m_text[m_at]) != std::string_view::npos) ++m_at;
    t.text = {t.offset, m_at - t.offset};
    const std::string_view text(m_text + t.offset, t.text.size);
    if (isWord(text) || isNumber(text)) return t;
    return fail("this is no value of JSON", t.offset, m_at == m_size);
}

JsonToken JsonTokens::next() {
    while (m_at < m_size && std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos) ++m_at;
    JsonToken t;
    t.offset = m_at;
    if (m_at == m_size) return t;
    const char c = m_text[m_at];
    if (c == '"') return string();
    if (std::string_view("{}[]:,").find(c) == std::string_view::npos) return scalar();
    ++m_at;
    t.kind = JsonTokenKind::punctuation;
    t.mark = c;
    return t;
}

} // namespace divdet
