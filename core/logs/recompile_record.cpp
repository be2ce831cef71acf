#include <algorithm>

#include "logs/parsed_records.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

bool namesGraph(std::string_view reason) {
    return fits(trimmed(reason), "d") && contains(reason.substr(0, 24), ": ");
}

/// `Recompiling function NAME in FILE:LINE`, and the lesson's `recompiling NAME() (cache size 7)`.
void parseHead(std::string_view line, CodePlace& place) {
    if (const auto name = between(line, "Recompiling function ", " in ")) {
        std::string_view where = line.substr(line.find("Recompiling function ") + 21 + name->size() + 4);
        std::string function(*name);
        // <resume in f> has the separator in its name.
        if (name->starts_with('<') && !name->ends_with('>'))
            if (const auto close = where.find("> in "); close != std::string_view::npos) {
                function += " in " + std::string(where.substr(0, close + 1));
                where = where.substr(close + 5);
            }
        if (const auto p = parsePlace(where)) place = *p;
        place.function = function;
    } else if (const auto lesson = between(line, "recompiling ", "()")) {
        place.function = *lesson;
    }
}

/// ('Recompiling function f in F:3', "triggered by the following guard failure: …")
void parseTuple(std::string_view line, ParsedRecompile& out) {
    out.tuple = true;
    const auto end = line.find_first_of("'\"", 2);
    parseHead(line.substr(2, end == std::string_view::npos ? end : end - 2), out.place);
    constexpr std::string_view mark = "guard failure: ";
    const auto at = line.find(mark);
    if (at == std::string_view::npos) return;
    std::string_view reason = line.substr(at + mark.size());
    if (reason.ends_with(')')) reason.remove_suffix(1);
    if (reason.ends_with('"') || reason.ends_with('\'')) reason.remove_suffix(1);
    // Python puts a backslash before quotes of its own kind, where a text holds both.
    std::string plain;
    for (std::size_t i = 0; i < reason.size(); ++i) {
        if (reason[i] == '\\' && i + 1 < reason.size()) ++i;
        plain += reason[i];
    }
    out.reasons.push_back(parseGuardReason(plain));
}

/// The texts of a list as Python prints it: ["a", 'b']. What is cut ends with the text.
std::vector<std::string_view> elementsOf(std::string_view list) {
    std::vector<std::string_view> out;
    list.remove_prefix(1);
    while (true) {
        list = trimmed(list);
        if (list.empty() || (list.front() != '"' && list.front() != '\'')) return out;
        const char quote = list.front();
        list.remove_prefix(1);
        // The texts hold quotes themselves: only one in front of a comma or the bracket ends one.
        std::size_t end = 0;
        while (end < list.size() && !(list[end] == quote && (end + 1 == list.size() || list[end + 1] == ']' ||
                                                             list.substr(end + 1).starts_with(", \"") ||
                                                             list.substr(end + 1).starts_with(", '"))))
            ++end;
        out.push_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 2, list.size()));
    }
}

} // namespace

ParsedRecompile parseRecompile(const LogRecord& record) {
    ParsedRecompile out;
    if (!record.lines.empty() && record.lines.front().starts_with('(')) {
        parseTuple(record.lines.front(), out);
        return out;
    }
    for (const std::string& line : record.lines) {
        const std::string_view text = trimmed(line);
        if (out.place.function.empty()) parseHead(text, out.place);
        if (text.starts_with("guard failed: ")) {
            out.reasons.push_back(parseGuardReason(text.substr(14)));
            continue;
        }
        if (!text.starts_with("- ")) continue;
        const std::string_view reason = text.substr(2);
        // The user stack that torch prints below a reason has bullets too: indented ones.
        if (reason.starts_with(' ') || reason.starts_with("User stack trace")) continue;
        if (contains(reason, "TORCH_COMPILE_DYNAMIC_SOURCES")) continue;
        out.idBeforeReason = out.idBeforeReason || namesGraph(reason);
        out.reasons.push_back(parseGuardReason(reason));
    }
    return out;
}

ParsedLimit parseLimit(const LogRecord& record) {
    ParsedLimit out;
    // A pasted message is wrapped anywhere: what belongs together is found in the whole text.
    std::string all;
    for (const std::string& line : record.lines) {
        const std::string_view text = trimmed(line);
        if (text.empty()) continue;
        if (!all.empty()) all += ' ';
        all += text;
    }
    const std::string_view s = all;
    if (const auto at = s.find("hit config."); at != std::string_view::npos) {
        std::string_view rest = s.substr(at + 11);
        const auto end = rest.find(" (");
        if (end < 60) {
            out.option = rest.substr(0, end);
            rest.remove_prefix(end + 2);
            if (const auto n = takeNumber(rest)) out.limit = static_cast<int>(*n);
        }
    }
    if (const auto name = between(s, "function: '", "'")) {
        std::string_view rest = s.substr(s.find("function: '") + 11 + name->size() + 1);
        rest = rest.substr(0, std::min({rest.find(" last reason"), rest.find(" reasons:"), rest.find(" To "),
                                        rest.find(" to diagnose")}));
        rest = trimmed(rest);
        if (rest.starts_with('(')) rest.remove_prefix(1);
        if (rest.ends_with(')')) rest.remove_suffix(1);
        if (const auto place = parsePlace(rest)) out.place = *place;
        out.place.function = *name;
    }
    auto at = s.find("last reason: ");
    std::size_t skip = 13;
    if (at == std::string_view::npos)
        at = s.find("reasons: "), skip = 9, out.plural = at != std::string_view::npos;
    if (at == std::string_view::npos) return out;
    std::string_view reason = s.substr(at + skip);
    reason = reason.substr(
        0, std::min({reason.find(" To log all"), reason.find(" To diagnose"), reason.find(" to diagnose")}));
    reason = trimmed(reason);
    out.idBeforeReason = namesGraph(reason);
    if (out.plural && reason.starts_with('['))
        for (const std::string_view one : elementsOf(reason)) out.reasons.push_back(parseGuardReason(one));
    else if (!reason.empty())
        out.reasons.push_back(parseGuardReason(reason));
    return out;
}

} // namespace divdet
