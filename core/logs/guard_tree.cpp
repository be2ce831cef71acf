#include "logs/guard_tree.h"

#include <algorithm>
#include <charconv>

#include "logs/guard_reason.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

constexpr std::size_t kLongestIdentity = 1000;

/// Takes the bars of a tree's line off: how deep it stands. Nothing where it is no line of a tree.
std::optional<int> takeDepth(std::string_view& line) {
    int depth = 0;
    std::string_view rest = line;
    while (rest.starts_with("| ")) rest.remove_prefix(2), ++depth;
    if (!rest.starts_with("+- ")) return std::nullopt;
    line = rest.substr(3);
    return depth;
}

/// Guards are named in capitals; managers are not.
bool isKindOfGuard(std::string_view name) {
    bool joined = false;
    for (const char c : name) {
        if (!(c >= 'A' && c <= 'Z') && !isDigit(c) && c != '_') return false;
        joined = joined || c == '_';
    }
    return joined;
}

std::string_view upTo(std::string_view s, std::string_view mark) {
    return s.substr(0, s.find(mark));
}

/// `expression  # code  # place`, with the hint that some end in.
void readExpression(std::string_view s, Guard& out) {
    const auto comment = commentAt(s);
    out.text = trimmed(s.substr(0, comment));
    if (comment == std::string_view::npos) return;
    s = trimmed(s.substr(comment + 4));
    // The code that is quoted may have comments of its own.
    if (const auto last = s.rfind("  # "); last != std::string_view::npos) {
        out.code = trimmed(s.substr(0, last));
        s = s.substr(last + 4);
    }
    out.place = trimmed(s);
}

/// `GuardManager: source=…, accessed_by=…`, and `GuardManager(source = …, accessor = …)` of torch 2.3.
void readManager(std::string_view s, Guard& out) {
    std::string_view separator = ", accessed_by=";
    auto at = s.find(": source=");
    std::size_t skip = 9;
    if (at == std::string_view::npos) {
        at = s.find("(source = "), skip = 10, separator = ", accessor = ";
        if (s.ends_with(')') && at != std::string_view::npos) s.remove_suffix(1);
    }
    if (at == std::string_view::npos) {
        out.kind = s; // RootGuardManager; KeyValueManager pair at index=0
        return;
    }
    out.kind = trimmed(s.substr(0, at));
    s.remove_prefix(at + skip);
    auto end = s.find(separator);
    if (end == std::string_view::npos) end = s.find(", type=");
    out.text = trimmed(s.substr(0, end));
    if (end != std::string_view::npos) out.access = trimmed(s.substr(end + 2));
}

Guard readTreeLine(std::string_view s) {
    Guard out;
    const std::string_view name = upTo(s, ":");
    out.check = name.size() < s.size() && isKindOfGuard(name);
    if (out.check) {
        out.kind = name;
        readExpression(s.substr(name.size() + 1), out);
    } else if (isKindOfGuard(trimmed(s))) { // mentioned once more, as the first of several sources has it
        out.kind = trimmed(s);
    } else {
        readManager(s, out);
    }
    return out;
}

/// The head and the frame of a record, and what torch 2.0 prints of a guard below its name.
bool isNoGuard(std::string_view text) {
    if (text.empty() || text == "-" || text == "{" || text == "}") return true;
    for (const std::string_view start : {"GUARDS:", "TREE_GUARD_MANAGER", "Guard ",
                                         "'guard_types':", "'code':", "'obj_weakref':", "'guarded_class':"})
        if (text.starts_with(start)) return true;
    return false;
}

/// `local 'x' TENSOR_MATCH`, torch 2.0: where the name is from, the name, the kind.
bool readNamedGuard(std::string_view text, Guard& out) {
    const auto last = text.rfind(' ');
    if (last == std::string_view::npos || !isKindOfGuard(text.substr(last + 1))) return false;
    const std::string_view before = trimmed(text.substr(0, last));
    const auto open = before.find('\'');
    if (open == std::string_view::npos || before.size() < open + 2 || !before.ends_with('\'')) return false;
    out.kind = text.substr(last + 1);
    out.text = before.substr(open + 1, before.size() - open - 2);
    return true;
}

/// What torch 2.0 prints below the name: `'code': ["n == 3"],` says what is checked; the rest is kept.
void readProperty(std::string_view text, Guard& out) {
    if (!text.starts_with('\'')) return;
    const auto code = text.starts_with("'code':") ? between(text, "[", "]") : std::nullopt;
    const auto expression = code && code->size() > 2 && !contains(*code, "', '") && !contains(*code, "\", \"")
                                ? code->substr(1, code->size() - 2)
                                : std::string_view();
    if (!expression.empty()) {
        out.text = expression;
        return;
    }
    if (!out.access.empty()) out.access += ' ';
    out.access += text;
}

/// As a reason of torch 2.7 prints a source: L['x'] is x there, and G['x'] itself.
std::string localName(std::string_view source) {
    return withoutScope(source, "L['");
}

std::optional<double> latencyOf(std::string_view text) {
    auto number = between(text, "latency = ", " us");
    if (!text.starts_with("Guard ") || !number) return std::nullopt;
    double out = 0;
    const auto r = std::from_chars(number->data(), number->data() + number->size(), out);
    return r.ec == std::errc() && out >= 0 && out < 1e12 ? std::optional(out) : std::nullopt;
}

} // namespace

GuardLine guardLine(std::string_view line) {
    std::string_view text = trimmed(line);
    if (!takeDepth(text)) return isNoGuard(text) ? GuardLine::none : GuardLine::listed;
    const auto colon = text.find(':');
    return colon != std::string_view::npos && isKindOfGuard(text.substr(0, colon)) ? GuardLine::inTree
                                                                                   : GuardLine::none;
}

GuardTree parseGuardTree(std::string_view text) {
    GuardTree out;
    std::vector<Guard> listed;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (const auto depth = takeDepth(line)) {
            Guard guard = readTreeLine(line);
            // No deeper than a child of the line above, whatever a cut log says.
            guard.depth = out.guards.empty() ? 0 : std::min(*depth, out.guards.back().depth + 1);
            out.guards.push_back(std::move(guard));
        } else if (const auto latency = latencyOf(line)) {
            out.evalMicroseconds = latency;
        } else if (isNoGuard(line)) {
            if (!listed.empty() && !listed.back().kind.empty()) readProperty(line, listed.back());
        } else {
            Guard guard;
            guard.check = true;
            if (!readNamedGuard(line, guard)) readExpression(line, guard);
            listed.push_back(std::move(guard));
        }
    }
    if (out.guards.empty()) out.guards = std::move(listed);
    return out;
}

std::string guardIdentity(std::string_view text) {
    return expressionIdentity(bareExpression(text));
}

std::string expressionIdentity(std::string_view text) {
    text = text.substr(0, kLongestIdentity);
    // Every property of a tensor is one check.
    if (const auto what = text.find(" mismatch"); text.starts_with("tensor '") && what != text.npos)
        if (const auto close = text.rfind("' ", what); close != text.npos && close > 8)
            return "TENSOR_MATCH " + localName(text.substr(8, close - 8));
    if (const auto name = between(text, "expected type of '", "' to be a tensor"))
        return "TENSOR_MATCH " + localName(*name);
    if (text.starts_with("check_tensor("))
        return "TENSOR_MATCH " + localName(text.substr(13, findOutside(text.substr(13), ", ")));
    if (contains(text, "GLOBAL_STATE changed") || contains(text, "___check_global_state"))
        return "GLOBAL_STATE";
    if (text.starts_with("Duplicate tensor") || text.starts_with("check_no_aliasing("))
        return "NO_TENSOR_ALIASING";
    if (const auto name = between(text, "invalidated because ", " got deallocated"))
        return "alive " + localName(*name);
    for (const std::string_view unreachable : {"KeyError on ", "IndexError on ", "getattr failed on source "})
        if (text.starts_with(unreachable)) return "reach " + localName(text.substr(unreachable.size()));
    // The manager of a dict counts its keys itself; guards of lengths say ==.
    if (const auto end = text.find(") != "); text.starts_with("len(") && end != text.npos)
        return "reach " + localName(text.substr(4, end - 4));
    return localName(text);
}

std::vector<std::string> guardIdentities(const Guard& guard) {
    if (!guard.check)
        return guard.text.empty() ? std::vector<std::string>()
                                  : std::vector{"reach " + localName(guard.text)};
    if (guard.kind == "GLOBAL_STATE") return {guard.kind};
    // torch 2.0 prints the name alone.
    if (guard.kind == "TENSOR_MATCH" && !guard.text.starts_with("check_tensor("))
        return {"TENSOR_MATCH " + localName(guard.text)};
    std::vector<std::string> out{guardIdentity(guard.text)};
    constexpr std::string_view id = "___check_obj_id(";
    const std::string_view argument =
        std::string_view(guard.text).substr(std::min(id.size(), guard.text.size()));
    if (guard.text.starts_with(id)) // what it compares with may be gone
        out.push_back("alive " + localName(argument.substr(0, findOutside(argument, ", "))));
    return out;
}

} // namespace divdet
