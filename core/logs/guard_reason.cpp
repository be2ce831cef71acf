#include "logs/guard_reason.h"

#include <algorithm>
#include <array>

#include "logs/guard_tree.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

/// Takes `0/3: ` off the front: the compile id, empty where there is none.
std::string_view takeCompileId(std::string_view& s) {
    std::size_t end = 0;
    const auto inId = [](char c) { return isDigit(c) || c == '/' || c == '_' || c == '!' || c == '-'; };
    while (end < s.size() && inId(s[end])) ++end;
    if (end < 3 || !s.substr(end).starts_with(": ") || !contains(s.substr(0, end), "/")) return {};
    const std::string_view id = s.substr(0, end);
    s.remove_prefix(end + 2);
    return id;
}

struct TensorReason {
    std::string_view needle;
    Cause cause;
};
constexpr std::array kTensorReasons{
    TensorReason{"' size mismatch at index ", Cause::dynamicShape},
    TensorReason{"' stride mismatch at index ", Cause::stride},
    TensorReason{"' strides mismatch at index ", Cause::stride}, // torch 2.0
    TensorReason{"' dtype mismatch.", Cause::dtype},
    TensorReason{"' rank mismatch.", Cause::rank},
    TensorReason{"' Tensor device index mismatch.", Cause::device},
    TensorReason{"' requires_grad mismatch.", Cause::requiresGrad},
    TensorReason{"' dispatch key set mismatch.", Cause::type},
    TensorReason{"' layout mismatch.", Cause::type},
};

std::string_view firstSentence(std::string_view s) {
    const auto end = s.find(". ");
    s = s.substr(0, end);
    if (s.ends_with('.')) s.remove_suffix(1);
    return trimmed(s);
}

/// A set of dispatch keys says which property differs only by what is in one set and not in the other.
Cause causeOfKeys(std::string_view expected, std::string_view actual) {
    const auto differs = [&](std::string_view key) {
        return contains(expected, key) != contains(actual, key);
    };
    if (differs("CUDA") || differs("CPU") || differs("XPU") || differs("MPS")) return Cause::device;
    if (differs("Autocast")) return Cause::ambientState;
    if (differs("ADInplaceOrView") || differs("Autograd")) return Cause::gradMode;
    return Cause::type;
}

bool tensorReason(std::string_view s, GuardReason& out) {
    if (!s.starts_with("tensor '")) return false;
    for (const auto& row : kTensorReasons) {
        const auto at = s.find(row.needle);
        if (at == std::string_view::npos || at < 8) continue;
        // A name does not hold another reason: then `s` is several, and this is not the first.
        if (contains(s.substr(8, at - 8), " mismatch")) continue;
        out.cause = row.cause;
        out.source = s.substr(8, at - 8);
        std::string_view rest = s.substr(at + row.needle.size());
        if (row.cause == Cause::dynamicShape || row.cause == Cause::stride)
            if (const auto dim = takeNumber(rest)) out.dim = static_cast<int>(*dim);
        for (const std::string_view part : {"xpected ", "ctual "})
            if (const auto p = rest.find(part); p != std::string_view::npos) {
                std::string_view value = rest.substr(p + part.size());
                const auto other = value.find(", actual ");
                value = firstSentence(value.substr(0, other));
                if (const auto is = value.find("to be "); is != std::string_view::npos)
                    value = value.substr(is + 6);
                out.values.emplace_back(value);
            }
        if (contains(row.needle, "dispatch") && out.values.size() == 2)
            out.cause = causeOfKeys(out.values[0], out.values[1]);
        const bool parameter =
            contains(s, "Guard failed on a parameter") || contains(out.source, "_parameters[");
        if (parameter && row.cause == Cause::dynamicShape) out.cause = Cause::parameterShape;
        return true;
    }
    return false;
}

/// `name` of `call(name, …)` and what follows the comma.
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

struct Needle {
    std::string_view needle;
    Cause cause;
};
/// Expressions that tell their cause by a word; looked through in this order.
constexpr std::array kNeedles{
    Needle{"___guarded_code.valid", Cause::objectIdentity},
    Needle{"Duplicate tensor found", Cause::objectIdentity},
    Needle{"___is_grad_enabled", Cause::gradMode},
    Needle{"inference_mode", Cause::gradMode},
    Needle{"___check_global_state", Cause::globalState},
    Needle{"___are_deterministic_algorithms", Cause::globalState},
    Needle{"___is_torch_function_enabled", Cause::ambientState},
    Needle{"___check_torch_function_mode_stack", Cause::ambientState},
    Needle{"___compile_config_hash", Cause::ambientState},
    Needle{"___skip_backend_check", Cause::ambientState},
    Needle{"___check_current_backend", Cause::ambientState},
    Needle{"___current_backend", Cause::ambientState},
    Needle{"CURRENT_DEVICE", Cause::ambientState},
    Needle{"autocast", Cause::ambientState},
};

/// A part of a function object: when it differs, the caller passes another function each time.
std::string_view functionOf(std::string_view source) {
    if (source.starts_with("getattr(") && contains(source, ", '__code__'"))
        return source.substr(8, source.find(',') - 8);
    for (const std::string_view part : {".__code__", ".__defaults__", ".__kwdefaults__", ".__closure__"})
        if (const auto at = source.find(part); at != std::string_view::npos) return source.substr(0, at);
    return {};
}

/// A longer name is no user's, and looking for it in its own text could take that text's length squared.
constexpr std::size_t kLongestName = 512;

/// torch compares None by its id too; then only the type or the line of code that it quotes tells.
bool isNone(std::string_view text, std::string_view source) {
    if (contains(text, "type=<class 'NoneType'>")) return true;
    const auto comment = text.find("  # ");
    if (comment == std::string_view::npos || source.empty() || source.size() > kLongestName) return false;
    const std::string name = userName(source);
    return contains(text.substr(comment), name + " is None") ||
           contains(text.substr(comment), name + " is not None");
}

bool identityReason(std::string_view s, GuardReason& out) {
    std::string_view first, rest;
    if (const auto is = s.find(" is "); is != std::string_view::npos && s.starts_with("L[") &&
                                        contains(s.substr(is), "L[")) { // one object passed as two
        out.cause = Cause::objectIdentity;
        out.source = s.substr(0, is);
        return true;
    }
    if (const auto dead = between(s, "invalidated because ", " got deallocated")) {
        out.cause = Cause::objectIdentity;
        out.source = *dead;
        return true;
    }
    for (const std::string_view call : {"___check_obj_id(", "check_obj_id("})
        if (callOf(s, call, first, rest)) {
            out.cause = Cause::objectIdentity;
            if (const auto function = functionOf(s.substr(s.find(call) + call.size())); !function.empty())
                first = function;
            out.source = first;
            out.object = rest;
            return true;
        }
    for (const std::string_view call : {"___check_type_id(", "check_type_id("})
        if (callOf(s, call, first, rest)) {
            out.cause = Cause::type;
            out.source = first;
            return true;
        }
    if (const auto name = between(s, "expected type of '", "' to be")) {
        out.cause = Cause::type;
        out.source = *name;
        return true;
    }
    return false;
}

bool isWhole(std::string_view s) {
    if (s.starts_with('-')) s.remove_prefix(1);
    return !s.empty() && s.find_first_not_of("0123456789") == std::string_view::npos;
}

bool isFloat(std::string_view s) {
    return !s.empty() && s.find_first_not_of("0123456789.+-einfa") == std::string_view::npos &&
           s.find_first_of("0123456789") != std::string_view::npos;
}

/// Two sides of the first comparison in `s`; false where there is none.
bool sidesOf(std::string_view s, std::string_view& left, std::string_view& right) {
    for (const std::string_view op : {" == ", " != ", " <= ", " >= ", " < ", " > "})
        if (const auto at = s.find(op); at != std::string_view::npos) {
            left = trimmed(s.substr(0, at));
            right = trimmed(s.substr(at + op.size()));
            return true;
        }
    return false;
}

/// L['x'].size()[1] == 512 and its relatives, with `(now 537)` of the lesson's form.
bool sizeExpression(std::string_view s, GuardReason& out) {
    for (const std::string_view call : {".size()[", ".shape[", ".stride()["}) {
        const auto at = s.find(call);
        if (at == std::string_view::npos) continue;
        out.cause = contains(call, "stride") ? Cause::stride : Cause::dynamicShape;
        std::string_view rest = s.substr(at + call.size());
        if (const auto dim = takeNumber(rest)) out.dim = static_cast<int>(*dim);
        std::size_t from = at; // the name reaches back to an operator or the start
        while (from > 0 && std::string_view(" (,").find(s[from - 1]) == std::string_view::npos) --from;
        out.source = s.substr(from, at - from);
        std::string_view left, right;
        if (sidesOf(s.substr(0, s.find(" (now ")), left, right)) {
            if (isWhole(right)) out.values.emplace_back(right);
            if (isWhole(left) && !contains(s, "<") && !contains(s, ">")) out.values.emplace_back(left);
        }
        if (const auto now = between(s, "(now ", ")")) out.values.emplace_back(*now);
        return true;
    }
    return false;
}

bool containerExpression(std::string_view s, GuardReason& out) {
    std::string_view first, rest, left, right;
    for (const std::string_view call :
         {"len(", "set(", "list(", "str(", "___dict_version(", "___tuple_iterator_len(", "___key_to_id("}) {
        if (!s.starts_with(call) || !callOf(s, call, first, rest)) continue;
        if (const auto keys = first.find(".keys()"); keys != std::string_view::npos)
            first = first.substr(0, keys);
        if (first.starts_with("dict.keys(")) first = first.substr(10, first.find(')', 10) - 10);
        out.cause = Cause::key;
        out.source = first;
        if (sidesOf(s, left, right)) out.values.emplace_back(right);
        return true;
    }
    if (callOf(s, "___dict_contains(", first, rest)) {
        out.cause = Cause::key;
        out.source = rest;
        out.values.emplace_back(first);
        return true;
    }
    if (const auto in = s.find(" in L["); in != std::string_view::npos) {
        out.cause = Cause::key;
        out.source = s.substr(in + 4);
        std::string_view value = s.substr(0, in);
        if (value.starts_with("not ")) value.remove_prefix(4);
        if (value.ends_with(" not")) value.remove_suffix(4);
        out.values.emplace_back(trimmed(value));
        return true;
    }
    if (contains(s, "KeyError")) {
        out.cause = Cause::key;
        out.source = s;
        return true;
    }
    return false;
}

/// Expressions over the symbols that torch gives to sizes: s0 == 3, s77 <= 8, Eq(s0, 3), Ne(s1, s0).
bool symbolExpression(std::string_view s, GuardReason& out) {
    std::string_view inside = s;
    for (const std::string_view call : {"Eq(", "Ne(", "Mod(", "not (", "("})
        if (inside.starts_with(call)) inside.remove_prefix(call.size());
    if (!fits(inside, "sd") && !fits(inside, "ud")) return false;
    out.cause = Cause::dynamicShape;
    out.source = s;
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
};

bool valueExpression(std::string_view s, GuardReason& out) {
    std::string_view left, right;
    if (s.ends_with(" is None") || s.ends_with(" is not None")) {
        out.cause = Cause::type;
        out.source = s.substr(0, s.find(" is "));
        out.values = {"None"};
        return true;
    }
    if (symbolExpression(s, out)) return true;
    if (!sidesOf(s, left, right)) return false;
    if (const auto now = right.find(" (now "); now != std::string_view::npos) {
        out.values.emplace_back(trimmed(right.substr(0, now)));
        if (const auto value = between(right, "(now ", ")")) out.values.emplace_back(*value);
        right = right.substr(0, now);
    } else {
        out.values.emplace_back(right);
    }
    out.source = left;
    out.cause = isWhole(right)   ? Cause::intSpecialization
                : isFloat(right) ? Cause::floatSpecialization
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

} // namespace

std::string_view bareExpression(std::string_view s) {
    s = trimmed(s);
    takeCompileId(s);
    for (const std::string_view tail : {"  # ", " (HINT:", ", type=<class"}) s = s.substr(0, s.find(tail));
    return trimmed(s);
}

GuardReason parseGuardReason(std::string_view text) {
    GuardReason out;
    std::string_view head = trimmed(text);
    out.graph = takeCompileId(head);
    const std::string_view s = bareExpression(head);
    out.guard = expressionIdentity(s);
    if (tensorReason(s, out)) return out;
    if (const auto at = s.find("GLOBAL_STATE changed:"); at != std::string_view::npos) {
        const std::string_view flags = trimmed(s.substr(at + 21));
        out.cause = flags == "grad_mode" ? Cause::gradMode : Cause::globalState;
        out.source = "GLOBAL_STATE";
        for (std::size_t i = 0; i < flags.size();) {
            const auto end = std::min(flags.find(' ', i), flags.size());
            if (end > i) out.values.emplace_back(flags.substr(i, end - i));
            i = end + 1;
        }
        return out;
    }
    if (identityReason(s, out)) {
        if (out.cause == Cause::objectIdentity && isNone(text, out.source)) {
            out.cause = Cause::type;
            out.values = {"None"};
            out.object.clear();
        }
        return out;
    }
    for (const auto& row : kNeedles)
        if (contains(s, row.needle)) {
            out.cause = row.cause;
            out.source = s;
            return out;
        }
    if (sizeExpression(s, out) || containerExpression(s, out)) return out;
    if (s.starts_with("hasattr(") || s.starts_with("not hasattr(") || s.starts_with("isinstance(")) {
        out.cause = Cause::type;
        out.source = s;
        return out;
    }
    if (valueExpression(s, out)) return out;
    out.source = s;
    return out;
}

std::string userName(std::string_view source) {
    std::string out(source);
    for (const std::string_view open : {"L['", "G['"}) {
        std::string next;
        std::size_t done = 0;
        for (auto at = out.find(open); at != std::string::npos; at = out.find(open, done)) {
            const auto close = out.find("']", at + open.size());
            if (close == std::string::npos) break;
            next.append(out, done, at - done).append(out, at + open.size(), close - at - open.size());
            done = close + 2;
        }
        out = next.append(out, done);
    }
    return out;
}

} // namespace divdet
