#include "logs/fix_text.h"

#include "logs/guard_reason.h"

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
