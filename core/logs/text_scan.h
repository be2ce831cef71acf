#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace divdet {

/// The small steps of which every parser of log text is made. None of them throws or reads past its text.

inline bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// `text` begins as `form` says: d is a digit, everything else itself.
inline bool fits(std::string_view text, std::string_view form) {
    if (text.size() < form.size()) return false;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] == 'd' ? !isDigit(text[i]) : text[i] != form[i]) return false;
    return true;
}

inline std::string_view trimmed(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

/// A whole number of at most nine digits off the front.
inline std::optional<std::int64_t> takeNumber(std::string_view& s) {
    std::int64_t n = 0;
    std::size_t i = 0;
    for (; i < s.size() && i < 10 && isDigit(s[i]); ++i) n = n * 10 + (s[i] - '0');
    if (i == 0 || i == 10) return std::nullopt;
    s.remove_prefix(i);
    return n;
}

/// What stands between the first `open` and the next `close` behind it; nothing where one is missing.
inline std::optional<std::string_view> between(std::string_view s, std::string_view open,
                                               std::string_view close) {
    const auto at = s.find(open);
    if (at == std::string_view::npos) return std::nullopt;
    const auto from = at + open.size();
    const auto to = s.find(close, from);
    if (to == std::string_view::npos) return std::nullopt;
    return s.substr(from, to - from);
}

inline bool contains(std::string_view s, std::string_view part) {
    return s.find(part) != std::string_view::npos;
}

/// The message of an exception as Python ends a traceback with it: `torch._dynamo.exc.UserError: …`, and not
/// a line of the traceback, which is indented. Nothing where the line is none.
inline std::optional<std::string_view> raisedBy(std::string_view line) {
    const auto end = line.find(": ");
    if (end == 0 || end == std::string_view::npos) return std::nullopt;
    std::string_view name = line.substr(0, end);
    for (const char c : name)
        if (!isDigit(c) && c != '_' && c != '.' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z'))
            return std::nullopt;
    name.remove_prefix(name.rfind('.') + 1); // npos + 1 is none
    if (name.empty() || name.front() < 'A' || name.front() > 'Z') return std::nullopt;
    return line.substr(end + 2);
}

/// Where the quoted text that begins at `at` ends: at its closing quote, else at the end of `s`.
inline std::size_t quotedEnd(std::string_view s, std::size_t at) {
    const char quote = s[at];
    for (++at; at < s.size() && s[at] != quote; ++at)
        if (s[at] == '\\') ++at;
    return std::min(at, s.size());
}

/// Where the first `part` outside of quotes and brackets begins; npos where there is none.
inline std::size_t findOutside(std::string_view s, std::string_view part) {
    int depth = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (depth <= 0 && s.substr(i).starts_with(part)) return i;
        if (s[i] == '\'' || s[i] == '"')
            i = quotedEnd(s, i);
        else if (s[i] == '(' || s[i] == '[' || s[i] == '{')
            ++depth;
        else if (s[i] == ')' || s[i] == ']' || s[i] == '}')
            --depth;
    }
    return std::string_view::npos;
}

/// Where the comment that torch puts behind an expression begins: a text inside may look like one.
inline std::size_t commentAt(std::string_view s) {
    const auto first = s.find("  # ");
    if (first == std::string_view::npos) return first;
    const auto outside = findOutside(s, "  # ");
    return outside == std::string_view::npos ? first : outside;
}

/// Every run of digits (and every 0x… address) as one N: texts that differ only in numbers or ids are equal.
inline std::string withoutNumbers(std::string_view s) {
    std::string out;
    out.reserve(s.size());
    for (std::size_t i = 0; i < s.size();) {
        if (!isDigit(s[i])) {
            out.push_back(s[i++]);
            continue;
        }
        const bool hex = s[i] == '0' && i + 1 < s.size() && s[i + 1] == 'x';
        if (hex) i += 2;
        while (i < s.size() && (isDigit(s[i]) || (hex && s[i] >= 'a' && s[i] <= 'f'))) ++i;
        out.push_back('N');
    }
    return out;
}

} // namespace divdet
