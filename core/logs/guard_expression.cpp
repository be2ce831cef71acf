#include "logs/guard_expression.h"

#include <algorithm>
#include <array>

#include "logs/text_scan.h"

namespace divdet {
namespace {

bool isWhole(std::string_view s) {
    if (s.starts_with('-')) s.remove_prefix(1);
    return !s.empty() && s.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A complex number too, (1+2j).
bool isFloat(std::string_view s) {
    if (s.starts_with('(') && s.ends_with("j)")) s = s.substr(1, s.size() - 2);
    if (s.starts_with('-')) s.remove_prefix(1);
    if (s == "inf" || s == "nan") return true;
    return !s.empty() && s.find_first_not_of("0123456789.+-ej") == std::string_view::npos &&
           isDigit(s.front());
}

/// The operator of the first comparison in `s` that stands outside of quotes, and its two sides; empty where
/// there is none.
std::string_view sidesOf(std::string_view s, std::string_view& left, std::string_view& right) {
    char quote = '\0';
    for (std::size_t i = 0; i < s.size(); ++i) {
        const char c = s[i];
        if (quote != '\0') {
            if (c == '\\') ++i;
            if (c == quote) quote = '\0';
            continue;
        }
        if (c == '\'' || c == '"') quote = c;
        if (c != ' ') continue;
        for (const std::string_view op : {" == ", " != ", " <= ", " >= ", " < ", " > "})
            if (s.substr(i).starts_with(op)) {
                left = trimmed(s.substr(0, i));
                right = trimmed(s.substr(i + op.size()));
                return trimmed(op);
            }
    }
    return {};
}

/// Every text in which one of `opens` starts a container that is written out.
bool isContainer(std::string_view value) {
    if (value.empty()) return false;
    for (const std::string_view open :
         {"{", "[", "(", "frozenset(", "set(", "range(", "torch.Size(", "dict_keys("})
        if (value.starts_with(open)) return true;
    return false;
}

/// s0 == 3, s77 <= 8, Eq(s0, 3), Ne(s1, s0).
bool symbolExpression(std::string_view s, GuardReason& out) {
    std::string_view inside = s;
    for (const std::string_view call : {"Eq(", "Ne(", "Mod(", "not (", "("})
        if (inside.starts_with(call)) inside.remove_prefix(call.size());
    if (!fits(inside, "sd") && !fits(inside, "ud")) return false;
    const auto end = inside.find_first_not_of("0123456789", 1);
    if (end != std::string_view::npos && contains(".[", inside.substr(end, 1))) return false; // a user's name
    out.cause = Cause::dynamicShape;
    out.source = s;
    return true;
}

/// Where the name that ends at `at` starts: behind an operator, or at the start. Keys may hold operators.
std::size_t nameStart(std::string_view s, std::size_t at) {
    int depth = 0;
    for (; at > 0; --at) {
        const char c = s[at - 1];
        if (c == ']') ++depth;
        if (c == '[') --depth;
        if (depth == 0 && contains(" (,*+-/%", s.substr(at - 1, 1))) break;
    }
    return at;
}

/// The number that the size `whole` is compared with, where it is the whole side of an equation: a bound and
/// a remainder are no sizes that were seen.
void addSize(std::string_view s, std::string_view whole, GuardReason& out) {
    std::string_view left, right, first, rest;
    s = s.substr(0, s.find(" (now "));
    for (const std::string_view call : {"Eq(", "Ne("})
        if (s.starts_with(call) && callOf(s, call, first, rest)) left = first, right = rest;
    if (left.empty()) {
        if (const auto op = sidesOf(s, left, right); op != "==" && op != "!=") return;
    }
    if (left == whole && isWhole(right)) out.values.emplace_back(right);
    if (right == whole && isWhole(left)) out.values.emplace_back(left);
}

/// hasattr(x, '_dynamo_dynamic_indices') == False: which dims the caller has marked as dynamic.
bool markedDims(std::string_view s, GuardReason& out) {
    const auto mark = s.find("_dynamo_");
    if (mark == std::string_view::npos || !contains(s.substr(mark, 40), "_indices")) return false;
    std::string_view first, rest;
    out.cause = Cause::dynamicShape;
    if (callOf(s, "hasattr(", first, rest)) {
        out.source = first;
    } else {
        std::string_view name = s.substr(0, s.find("._dynamo_"));
        while (name.starts_with('(')) name.remove_prefix(1);
        out.source = name;
    }
    return true;
}

/// L['x'].dtype == torch.float32 and the like: the property of a tensor that a name ends in.
struct Property {
    std::string_view ending;
    Cause cause;
};
constexpr std::array kProperties{
    Property{".dtype", Cause::dtype},       Property{".device", Cause::device},
    Property{".ndim", Cause::rank},         Property{".dim()", Cause::rank},
    Property{".ndimension()", Cause::rank}, Property{".requires_grad", Cause::requiresGrad},
    Property{".layout", Cause::type},
};

/// n <= 5 and 2 <= n <= 5: a branch on a number that is no constant of the graph. Bounds are no values seen.
bool boundExpression(std::string_view left, std::string_view right, GuardReason& out) {
    if (isWhole(left)) {
        std::string_view middle, upper;
        left = sidesOf(right, middle, upper).empty() ? right : middle;
    } else if (!isWhole(right)) {
        return false;
    }
    out.cause = Cause::intSpecialization;
    out.source = left;
    return true;
}

/// A float that is no number is told apart by a call, since it equals nothing.
bool notANumber(std::string_view s, GuardReason& out) {
    std::string_view first, rest;
    for (const std::string_view call : {"__math_isnan(", "__numpy_isnan("})
        if (callOf(s, call, first, rest)) {
            out.cause = Cause::floatSpecialization;
            out.source = first;
            out.values = {"nan"};
            return true;
        }
    return false;
}

/// Both sides of `a is b`, which torch prints for one object that is passed as two.
bool sameObject(std::string_view s, GuardReason& out) {
    const auto is = s.find(" is ");
    if (is == std::string_view::npos) return false;
    const std::string_view left = s.substr(0, is);
    std::string_view right = s.substr(is + 4);
    const bool isNot = right.starts_with("not ");
    if (isNot) right.remove_prefix(4);
    if (left.empty() || contains(left, " ") || contains(right, " ") || right == "None") return false;
    out.cause = Cause::objectIdentity;
    out.source = left;
    return true;
}

} // namespace

bool callOf(std::string_view s, std::string_view call, std::string_view& first, std::string_view& rest) {
    const auto at = s.find(call);
    if (at == std::string_view::npos) return false;
    std::string_view inside = s.substr(at + call.size());
    int depth = 0;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        const char c = inside[i];
        if (c == '(' || c == '[') ++depth;
        if ((c == ')' || c == ']') && --depth < 0) {
            first = trimmed(inside.substr(0, i)), rest = {};
            return true;
        }
        if (c == ',' && depth == 0) {
            first = trimmed(inside.substr(0, i));
            rest = trimmed(inside.substr(i + 1));
            rest = rest.substr(0, rest.find(')'));
            return true;
        }
    }
    first = trimmed(inside), rest = {};
    return true;
}

std::string_view functionOf(std::string_view source) {
    if (source.starts_with("getattr(") && contains(source, ", '__code__'"))
        return source.substr(8, source.find(',') - 8);
    for (const std::string_view part : {".__code__", ".__defaults__", ".__kwdefaults__", ".__closure__"})
        if (const auto at = source.find(part); at != std::string_view::npos) return source.substr(0, at);
    return {};
}

bool sizeExpression(std::string_view s, GuardReason& out) {
    if (markedDims(s, out)) return true;
    for (const std::string_view call : {".size()[", ".shape[", ".stride()[", ".storage_offset()"}) {
        const auto at = s.find(call);
        if (at == std::string_view::npos) continue;
        out.cause = call.starts_with(".st") ? Cause::stride : Cause::dynamicShape;
        std::string_view rest = s.substr(at + call.size());
        if (const auto dim = takeNumber(rest); dim && call.ends_with('[')) out.dim = static_cast<int>(*dim);
        const std::size_t from = nameStart(s, at), end = s.size() - rest.size();
        out.source = s.substr(from, at - from);
        addSize(s, s.substr(from, end - from + (call.ends_with('[') ? 1 : 0)), out);
        if (const auto now = between(s, "(now ", ")")) out.values.emplace_back(*now);
        return true;
    }
    return symbolExpression(s, out);
}

bool containerExpression(std::string_view s, GuardReason& out) {
    std::string_view first, rest, left, right;
    out.cause = Cause::key;
    for (const std::string_view call :
         {"len(", "set(", "list(", "___dict_version(", "___tuple_iterator_len(", "___key_to_id(",
          "set.__len__(", "frozenset.__len__(", "___normalize_range_iter(", "___normalize_count_iter("}) {
        if (!s.starts_with(call) || !callOf(s, call, first, rest)) continue;
        if (const auto keys = first.find(".keys()"); keys != std::string_view::npos)
            first = first.substr(0, keys);
        if (first.starts_with("dict.keys(")) first = first.substr(10, first.find(')', 10) - 10);
        out.source = first;
        if (!sidesOf(s, left, right).empty()) out.values.emplace_back(right);
        return true;
    }
    for (const std::string_view call : {"___dict_contains(", "set.__contains__("})
        if (callOf(s, call, first, rest)) {
            const bool memberFirst = call.starts_with("___");
            out.source = memberFirst ? rest : first;
            out.values.emplace_back(memberFirst ? first : rest);
            return true;
        }
    // {k for k, v in m.named_parameters()} == {…}
    if (s.starts_with("{k for ")) {
        std::string_view of = s.substr(0, s.find('}'));
        if (const auto in = of.find(" in "); in != std::string_view::npos) of.remove_prefix(in + 4);
        out.source = of.substr(0, of.find(".named_"));
        return true;
    }
    if (const auto in = s.find(" in "); in != std::string_view::npos) {
        std::string_view value = trimmed(s.substr(0, in)), of = trimmed(s.substr(in + 4));
        if (value.starts_with("not ")) value.remove_prefix(4);
        if (value.ends_with(" not")) value.remove_suffix(4);
        const bool literal = !value.empty() && contains("'\"0123456789", value.substr(0, 1));
        if (of.starts_with("L[") || (literal && !of.empty() && !contains(of, " "))) {
            out.source = of;
            out.values.emplace_back(trimmed(value));
            return true;
        }
    }
    for (const std::string_view missing : {"KeyError on ", "IndexError on ", "Keypath not found: "})
        if (const auto at = s.find(missing); at != std::string_view::npos) {
            out.source = trimmed(s.substr(at + missing.size()));
            return true;
        }
    if (contains(s, "KeyError")) {
        out.source = s;
        return true;
    }
    // not d: it was empty.
    if (s.starts_with("not ") && s.size() > 4 && !contains(s.substr(4), " ")) {
        out.source = s.substr(4);
        return true;
    }
    out.cause = Cause::unknown;
    return false;
}

bool valueExpression(std::string_view s, GuardReason& out) {
    std::string_view left, right, first, rest;
    if (s.ends_with(" is None") || s.ends_with(" is not None")) {
        out.cause = Cause::type;
        out.source = s.substr(0, s.find(" is "));
        out.values = {"None"};
        return true;
    }
    if (notANumber(s, out)) return true;
    const std::string_view op = sidesOf(s, left, right);
    if (op.empty()) return sameObject(s, out);
    if (op != "==" && op != "!=" && boundExpression(left, right, out)) return true;
    if (const auto now = right.find(" (now "); now != std::string_view::npos) {
        out.values.emplace_back(trimmed(right.substr(0, now)));
        if (const auto value = between(right, "(now ", ")")) out.values.emplace_back(*value);
        right = right.substr(0, now);
    } else {
        out.values.emplace_back(right);
    }
    // A subclass of a number or a text is compared as what it is made of.
    for (const std::string_view call : {"int(", "float(", "str(", "bool(", "bytes("})
        if (left.starts_with(call) && left.ends_with(')') && callOf(left, call, first, rest) && rest.empty())
            left = first;
    if (left.ends_with(".raw_repr()")) left.remove_suffix(11);
    out.source = left;
    out.cause = isWhole(right)       ? Cause::intSpecialization
                : isFloat(right)     ? Cause::floatSpecialization
                : isContainer(right) ? Cause::key
                                     : Cause::unknown; // a string or a flag: the contract has no word for it
    for (const auto& property : kProperties)
        if (left.ends_with(property.ending)) {
            out.cause = property.cause;
            out.source = left.substr(0, left.size() - property.ending.size());
        }
    if (const auto function = functionOf(left); !function.empty()) {
        out.cause = Cause::objectIdentity;
        out.source = function;
    }
    return true;
}

} // namespace divdet
