#include "cli/logs_text.h"

#include <fmt/format.h>

#include "cli/guards_text.h"
#include "dump/text_encoding.h"
#include "logs/fix_text.h"
#include "logs/guard_reason.h"
#include "report/logs_report.h"

namespace divdet::cli {
namespace {

std::string functionText(const RecompiledFunction& f, const Paint& paint) {
    std::string out = paint.strong(shown(f.name));
    if (!f.site.empty()) out += "  " + shown(f.site);
    out += fmt::format("  {} of {} recompiles", f.count, f.limit);
    if (f.compileSeconds > 0) out += fmt::format(", {:.3g} s in compiling", f.compileSeconds);
    out += f.limitHit ? ": the limit is hit, it runs uncompiled from here on\n" : "\n";
    for (const auto& c : f.causes) {
        out += fmt::format("  {} x  {} ({}) of {}", c.count, info(c.cause).name, info(c.cause).what,
                           shown(userName(c.source)));
        if (c.dim) out += fmt::format(", dim {}", *c.dim);
        if (!c.values.empty()) out += ": " + shown(valuesText(c.values));
        out += fmt::format("\n        fix: {}\n", shown(c.fixText));
    }
    if (f.limitHit)
        out += "        to hear of it: torch._dynamo.config.fail_on_recompile_limit_hit = True, or "
               "fullgraph=True\n";
    return out;
}

std::string breakText(const GraphBreak& b, const Paint& paint) {
    return fmt::format(
        "{} x  {}  {}: {}\n{}        fix: {}\n", b.count,
        paint.strong(shown(b.site.empty() ? "(no place)" : b.site)), b.kind, printable(b.reason, 160),
        b.code.empty() ? std::string() : "        code: " + printable(b.code, 160) + '\n', shown(b.fixText));
}

std::string changeText(const LogChange& c) {
    std::string out = std::string(toString(c.kind)) + "  ";
    if (!c.function.empty()) out += shown(c.function) + "  ";
    if (!c.site.empty()) out += shown(c.site) + "  ";
    return out + printable(c.what, 160);
}

std::string changesText(const LogChanges& changes) {
    std::string out = fmt::format("\nSince before: {} gone, {} new, {} still there\n", changes.gone.size(),
                                  changes.fresh.size(), changes.stayed.size());
    for (const auto& c : changes.gone) out += fmt::format("  gone   {} -> 0  {}\n", c.before, changeText(c));
    for (const auto& c : changes.fresh) out += fmt::format("  new    0 -> {}  {}\n", c.after, changeText(c));
    for (const auto& c : changes.stayed)
        out += fmt::format("  still  {} -> {}  {}\n", c.before, c.after, changeText(c));
    return out;
}

/// How many graphs there are, and how to see what they are guarded on.
std::string graphsText(const LogReport& r) {
    std::size_t listed = 0;
    std::int64_t guards = 0;
    for (const CompiledGraph& g : r.graphs) guards += g.guards, listed += g.tree.guards.size();
    if (r.graphs.empty()) return {};
    return fmt::format("{} graph{}, {} guards{}\n", r.graphs.size(), r.graphs.size() == 1 ? "" : "s", guards,
                       listed > 0 ? "; --guards lists them, --failing those that failed" : "");
}

} // namespace

std::string logText(const LogReport& r, const LogChanges* changes, const GuardSearch* guards,
                    bool showUnparsed, const Paint& paint) {
    std::string out = fmt::format("{}: {}\n", paint.strong(r.storm ? "storm" : "clean"), logsSentence(r));
    if (changes) out += changesText(*changes);
    if (!r.recompiles.empty()) out += "\nRecompiles\n";
    for (const auto& f : r.recompiles) out += functionText(f, paint);
    if (!r.breaks.empty()) out += "\nGraph breaks\n";
    for (const auto& b : r.breaks) out += breakText(b, paint);
    if (!r.replays.empty()) out += "\nCUDA graphs\n";
    for (const auto& p : r.replays)
        out += fmt::format("{} x  {}: {}\n", p.count, p.skipped ? "skipped" : "recorded again",
                           printable(p.reason, 200));
    if (guards)
        out += guardsText(r, *guards, paint);
    else if (const std::string graphs = graphsText(r); !graphs.empty())
        out += '\n' + graphs;
    if (r.compiles > 0)
        out += fmt::format("\n{:.3g} s in {} compile{}\n", r.compileSeconds, r.compiles,
                           r.compiles == 1 ? "" : "s");
    out +=
        paint.faint(fmt::format("\n{} lines, {} not understood{}; dialect {}{}\n", r.lines, r.unparsedLines,
                                r.otherRank ? fmt::format(", {} of other ranks", r.otherRank) : "", r.dialect,
                                r.versionGuess.empty() ? "" : ", torch " + shown(r.versionGuess)));
    if (r.incomplete) out += "caution: the log is incomplete, so the counts are lower bounds\n";
    for (const auto& key : r.notes) out += "note: " + noteText(key) + '\n';
    if (showUnparsed)
        for (const auto& line : r.unparsedSamples) out += "  " + shown(line) + '\n';
    return out;
}

} // namespace divdet::cli
