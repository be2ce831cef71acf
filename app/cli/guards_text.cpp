#include "cli/guards_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "dump/text_encoding.h"

namespace divdet::cli {
namespace {

constexpr std::size_t kLongest = 400; ///< letters of an expression or a line of code

std::string guardLine(const Guard& g, const Paint& paint) {
    const std::string indent(2 * static_cast<std::size_t>(g.depth), ' ');
    std::string what = printable(g.text, kLongest);
    if (g.kind != "GuardManager") what = g.text.empty() ? shown(g.kind) : shown(g.kind) + "  " + what;
    if (g.kind.empty()) what = printable(g.text, kLongest);
    std::string out = g.failures > 0
                          ? fmt::format("{:>6} x  {}{}", g.failures, indent, paint.strong(what))
                          : fmt::format("{:10}{}{}", "", indent, g.check ? what : paint.faint(what));
    if (!g.code.empty()) out += "   " + paint.faint(printable(g.code, kLongest));
    if (!g.place.empty()) out += "   " + paint.faint(printable(g.place, kLongest));
    for (const std::string& fix : g.fixes) out += fmt::format("\n{:10}{}    fix: {}", "", indent, shown(fix));
    return out + '\n';
}

std::string graphLine(const CompiledGraph& g, const Paint& paint) {
    std::string out = paint.strong(shown(g.id));
    if (g.rank >= 0) out += fmt::format(" of rank {}", g.rank);
    if (g.run > 1) out += fmt::format(" of run {}", g.run);
    out += fmt::format("  {}: {} guard{}", g.function.empty() ? "(function not named)" : shown(g.function),
                       g.guards, g.guards == 1 ? "" : "s");
    if (g.rejected > 0)
        out += fmt::format(", rejected by {} recompile{}", g.rejected, g.rejected == 1 ? "" : "s");
    if (g.tree.evalMicroseconds) out += fmt::format(", {:.3g} us to check", *g.tree.evalMicroseconds);
    if (g.tree.cut) out += ", not all of them kept";
    return out + '\n';
}

} // namespace

std::string guardsText(const LogReport& report, const GuardSearch& search, const Paint& paint) {
    std::string out;
    std::size_t hits = 0, listed = 0;
    for (const CompiledGraph& g : report.graphs) {
        const GuardHits found = searchGuards(g.tree, search);
        hits += found.hits;
        listed += g.tree.guards.size();
        if (found.hits == 0) continue;
        out += '\n' + graphLine(g, paint);
        for (std::size_t i = 0; i < g.tree.guards.size(); ++i)
            if (found.shown[i]) out += guardLine(g.tree.guards[i], paint);
    }
    const auto cut = std::count_if(report.graphs.begin(), report.graphs.end(),
                                   [](const CompiledGraph& g) { return g.tree.cut; });
    if (listed == 0 && cut > 0) return "\nGuards: more than are kept; the counts count them all\n";
    if (listed == 0)
        return "\nGuards: the log lists none; run the program with TORCH_LOGS=recompiles,guards\n";
    if (hits == 0)
        return fmt::format("\nGuards: none of {} lines {}\n", listed,
                           search.text.empty() ? "is named by a recompile"
                                               : "has " + shown(search.text) +
                                                     (search.failing ? " and is named by a recompile" : ""));
    return "\nGuards" + out;
}

} // namespace divdet::cli
