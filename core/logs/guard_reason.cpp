#include "logs/guard_reason.h"

#include <algorithm>
#include <array>

#include "logs/guard_expression.h"
#include "logs/guard_tree.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

constexpr std::size_t kLongestId = 40;

/// Takes `0/3: ` off the front: the compile id, empty where there is none.
std::string_view takeCompileId(std::string_view& s) {
    std::size_t end = 0;
    const auto inId = [](char c) { return isDigit(c) || c == '/' || c == '_' || c == '!' || c == '-'; };
    while (end < std::min(s.size(), kLongestId) && inId(s[end])) ++end;
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

/// What surrounds a call comes and goes with a `with`; the rest of the global state is set by a statement.
/// autocast is one flag up to 2.10, then one for each device.
Cause causeOfFlags(const std::vector<std::string>& flags) {
    const auto surrounds = [](const std::string& flag) {
        return flag.starts_with("autocast") || flag == "torch_function";
    };
    if (flags == std::vector<std::string>{"grad_mode"}) return Cause::gradMode;
    const bool all = !flags.empty() && std::all_of(flags.begin(), flags.end(), surrounds);
    return all ? Cause::ambientState : Cause::globalState;
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

struct Needle {
    std::string_view needle;
    Cause cause;
};
/// Expressions that tell their cause by a word; looked through in this order.
constexpr std::array kNeedles{
    Needle{"___guarded_code.valid", Cause::objectIdentity},
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
    Needle{"forward_ad._current_level", Cause::ambientState},
    Needle{"compare_functorch_state", Cause::ambientState},
    Needle{"autocast", Cause::ambientState},
};

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
    // Duplicate tensors found: ["L['a']", "L['b']"]; up to 2.3 only the second, behind another sentence
    for (const std::string_view found : {"Duplicate tensors found: [\"", "where not expected! "})
        if (const auto at = s.find(found);
            at != std::string_view::npos && s.starts_with("Duplicate tensor")) {
            const std::string_view name = s.substr(at + found.size());
            out.cause = Cause::objectIdentity;
            out.source = name.substr(0, std::min(name.find('"'), name.find("should not alias")));
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
            // True and False are compared by their ids up to 2.7; there is nothing to share.
            if (first.ends_with(".training"))
                out.cause = Cause::unknown;
            else
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

} // namespace

std::string_view bareExpression(std::string_view s) {
    s = trimmed(s);
    takeCompileId(s);
    s = s.substr(0, commentAt(s));
    for (const std::string_view tail : {" (HINT:", ", type=<"}) s = s.substr(0, s.find(tail));
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
        out.source = "GLOBAL_STATE";
        for (std::size_t i = 0; i < flags.size();) {
            const auto end = std::min(flags.find(' ', i), flags.size());
            if (end > i) out.values.emplace_back(flags.substr(i, end - i));
            i = end + 1;
        }
        out.cause = causeOfFlags(out.values);
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
    if (sizeExpression(s, out)) return out;
    if (s.starts_with("hasattr(") || s.starts_with("not hasattr(") || s.starts_with("isinstance(") ||
        s.starts_with("getattr failed on source ")) {
        out.cause = Cause::type;
        out.source = s;
        return out;
    }
    if (containerExpression(s, out)) return out;
    if (valueExpression(s, out)) return out;
    out.source = s;
    return out;
}

std::string withoutScope(std::string_view source, std::string_view open) {
    std::string out;
    std::size_t done = 0;
    for (auto at = source.find(open); at != std::string_view::npos; at = source.find(open, done)) {
        const auto close = source.find("']", at + open.size());
        if (close == std::string_view::npos) break;
        out.append(source.substr(done, at - done))
            .append(source.substr(at + open.size(), close - at - open.size()));
        done = close + 2;
    }
    return out.append(source.substr(done));
}

std::string userName(std::string_view source) {
    return withoutScope(withoutScope(source, "L['"), "G['");
}

} // namespace divdet
