#include "logs/fix_text.h"

#include <algorithm>

#include "logs/guard_reason.h"
#include "logs/trace_gaps.h"

namespace divdet {
namespace {

/// Placeholders are replaced by hand: names come from hostile files and may hold braces.
std::string filled(std::string_view form,
                   std::initializer_list<std::pair<std::string_view, std::string>> with) {
    std::string out;
    for (std::size_t i = 0; i < form.size();) {
        bool found = false;
        for (const auto& [key, value] : with)
            if (form.substr(i).starts_with(key)) {
                out += value;
                i += key.size();
                found = true;
                break;
            }
        if (!found) out.push_back(form[i++]);
    }
    return out;
}

bool isPlainName(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
}

bool isNumber(Cause c) {
    return c == Cause::intSpecialization || c == Cause::floatSpecialization;
}

/// What a cause needs to hear beyond its own sentence in the table; empty for most.
std::string specialFixText(const RecompileCause& cause, const std::string& name) {
    const std::string seen = "; seen: " + valuesText(cause.values);
    if (name.starts_with("___stack") && isNumber(cause.cause))
        return "a number carried over a graph break (" + name +
               "): cure that break, or keep the number in a tensor" + seen;
    if (name.starts_with("self.") && cause.cause == Cause::intSpecialization)
        return "keep " + name +
               " as a tensor (register_buffer), or torch._dynamo.config.allow_unspec_int_on_nn_module = "
               "True" +
               seen;
    if (name.starts_with("self.") && cause.cause == Cause::floatSpecialization)
        return "keep " + name + " as a tensor (register_buffer)" + seen;
    if (name.ends_with(".training"))
        return "call train() or eval() once before the first call: " + name + " changes between calls";
    if (name == "___guarded_code.valid")
        return "keep the object that it was compiled for alive, and pass the same one at every call";
    if (cause.cause == Cause::objectIdentity && cause.count == 1 && isPlainName(name))
        return "use one object for " + name +
               " instead of a new one at every call or layer; if it is None at some calls, compile a "
               "function "
               "for each";
    if (cause.cause == Cause::globalState && cause.values.empty())
        return "set grad mode, TF32, threads and default dtype once before the first call; torch from 2.5 on "
               "logs which of them changed";
    if (cause.source == kNoReasonInTrace)
        return "run once with TORCH_LOGS=recompiles_verbose: " + cause.source;
    if (cause.cause == Cause::unknown && !cause.values.empty())
        return "compile one function for each value of " + name + ", or choose by it outside" + seen;
    return {};
}

} // namespace

std::string valuesText(const std::vector<std::string>& values) {
    if (values.empty()) return "not said";
    std::string out;
    const std::size_t shownFirst = values.size() > 6 ? 4 : values.size();
    for (std::size_t i = 0; i < shownFirst; ++i) out += (i ? ", " : "") + values[i];
    if (shownFirst < values.size())
        out += " … " + values.back() + " (" + std::to_string(values.size()) + " values)";
    return out;
}

std::string causeFixText(const RecompileCause& cause) {
    const std::string name = userName(cause.source);
    if (const std::string special = specialFixText(cause, name); !special.empty()) return special;
    if (cause.cause == Cause::dynamicShape && !cause.dim)
        return "a size that " + name +
               " depends on changes: mark_dynamic the dim behind it, or pad to a few sizes; seen: " +
               valuesText(cause.values);
    return filled(info(cause.cause).text, {{"{name}", name},
                                           {"{dim}", cause.dim ? std::to_string(*cause.dim) : "?"},
                                           {"{values}", valuesText(cause.values)}});
}

std::string breakFixText(const BreakKind& kind, std::string_view site, bool inFramework) {
    if (inFramework)
        return "the named place is inside torch, not in your code: log once more with "
               "TORCH_LOGS=graph_breaks and keep "
               "the user code traceback";
    return filled(kind.text, {{"{site}", site.empty() ? "this call" : std::string(site)}});
}

} // namespace divdet
