#include "report/escape.h"

#include <algorithm>

namespace divdet {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// Length of the well-formed UTF-8 character at the start of `text`; 0: there is none.
std::size_t characterLength(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = at(0);
    if (first < 0x80) return 1;
    const std::size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < n) return 0;
    for (std::size_t i = 1; i < n; ++i)
        if ((at(i) & 0xc0) != 0x80) return 0;
    if (first == 0xe0 && at(1) < 0xa0) return 0; // overlong
    if (first == 0xed && at(1) > 0x9f) return 0; // surrogate
    if (first == 0xf0 && at(1) < 0x90) return 0; // overlong
    if (first == 0xf4 && at(1) > 0x8f) return 0; // beyond U+10FFFF
    return n;
}

/// Control characters, and those that turn the direction of the text around them or stand for none.
bool unseen(std::string_view c) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(c[i]); };
    if (c.size() == 1) return at(0) < 0x20 || at(0) == 0x7f;
    if (c.size() == 2) return at(0) == 0xc2 && at(1) < 0xa0; // U+0080 … U+009F
    if (c.size() != 3) return false;
    if (at(0) == 0xe2 && at(1) == 0x80) // U+200B … U+200F, U+2028 … U+202E
        return (at(2) >= 0x8b && at(2) <= 0x8f) || (at(2) >= 0xa8 && at(2) <= 0xae);
    if (at(0) == 0xe2 && at(1) == 0x81) return at(2) >= 0xa0 && at(2) <= 0xaf; // U+2060 … U+206F
    return at(0) == 0xef && at(1) == 0xbf && at(2) >= 0xbe;                    // U+FFFE, U+FFFF
}

/// Calls put(character) for each visible character.
template <class F>
void eachVisible(std::string_view text, std::size_t limit, F&& put) {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < text.size(); ++shown) {
        if (shown == limit) return put(std::string_view("…"));
        const std::size_t n = characterLength(text.substr(i));
        const std::string_view c = text.substr(i, std::max<std::size_t>(n, 1));
        i += c.size();
        if (c == "\n" || c == "\r" || c == "\t")
            put(std::string_view(" "));
        else
            put(n == 0 || unseen(c) ? kReplacement : c);
    }
}

} // namespace

std::string visibleText(std::string_view text, std::size_t limit) {
    std::string out;
    eachVisible(text, limit, [&](std::string_view c) { out += c; });
    return out;
}

std::string xmlText(std::string_view text, std::size_t limit) {
    std::string out;
    eachVisible(text, limit, [&](std::string_view c) {
        if (c == "&")
            out += "&amp;";
        else if (c == "<")
            out += "&lt;";
        else if (c == ">")
            out += "&gt;";
        else if (c == "\"")
            out += "&quot;";
        else if (c == "'")
            out += "&#39;";
        else
            out += c;
    });
    return out;
}

std::string markdownText(std::string_view text, std::size_t limit) {
    std::string out;
    eachVisible(text, limit, [&](std::string_view c) {
        if (c == "&")
            out += "&amp;";
        else if (c == "<")
            out += "&lt;";
        else if (c == ">")
            out += "&gt;";
        else if (c.size() == 1 && std::string_view("\\`*_[]|~#!$").find(c[0]) != std::string_view::npos)
            (out += '\\') += c;
        else
            out += c;
    });
    return out;
}

std::string markdownCode(std::string_view text, std::size_t limit) {
    // A fence longer than any run of backticks inside; a pipe would end a table's cell even in code.
    std::string inside;
    std::size_t run = 0, longest = 0;
    eachVisible(text, limit, [&](std::string_view c) {
        run = c == "`" ? run + 1 : 0;
        longest = std::max(longest, run);
        inside += c == "|" ? std::string("\\|") : std::string(c);
    });
    const std::string fence(longest + 1, '`');
    const bool pad = longest > 0 || inside.empty();
    return fence + (pad ? " " : "") + inside + (pad ? " " : "") + fence;
}

} // namespace divdet
