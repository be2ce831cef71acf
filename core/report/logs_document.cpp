#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "logs/fix_text.h"
#include "logs/guard_reason.h"
#include "report/logs_report.h"

namespace divdet {
namespace {

std::string counted(std::int64_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string timesText(std::int64_t n) {
    return std::to_string(n);
}

ReportTable recompiles(const LogReport& r) {
    ReportTable out{"Recompiles",
                    "",
                    {"function", "defined at", "recompiles", "times", "cause", "what changed", "seen", "fix"},
                    {}};
    for (const auto& f : r.recompiles) {
        const std::string count =
            fmt::format("{} of {}{}", f.count, f.limit, f.limitHit ? ": limit hit, runs uncompiled" : "");
        if (f.causes.empty()) out.rows.push_back({f.name, f.site, count, "", "", "", "", ""});
        bool first = true;
        for (const auto& c : f.causes) {
            out.rows.push_back({first ? f.name : "", first ? f.site : "", first ? count : "",
                                timesText(c.count), std::string(info(c.cause).name),
                                userName(c.source) + (c.dim ? fmt::format(", dim {}", *c.dim) : ""),
                                c.values.empty() ? "" : valuesText(c.values), c.fixText});
            first = false;
        }
    }
    return out;
}

ReportTable breaks(const LogReport& r) {
    ReportTable out{"Graph breaks", "", {"place", "function", "code", "times", "kind", "reason", "fix"}, {}};
    for (const auto& b : r.breaks)
        out.rows.push_back({b.site.empty() ? "(no place)" : b.site, b.function, b.code, timesText(b.count),
                            std::string(b.kind) + (b.inFramework ? ", inside torch" : ""), b.reason,
                            b.fixText});
    return out;
}

ReportTable replays(const LogReport& r) {
    ReportTable out{"CUDA graphs", "", {"times", "what", "reason"}, {}};
    for (const auto& p : r.replays)
        out.rows.push_back({timesText(p.count), p.skipped ? "skipped" : "recorded again", p.reason});
    return out;
}

constexpr std::size_t kMostRows = 200; ///< of graphs and of guards: a model has thousands

std::string graphName(const CompiledGraph& g) {
    return (g.rank >= 0 ? fmt::format("{} of rank {}", g.id, g.rank) : g.id) +
           (g.run > 1 ? fmt::format(" of run {}", g.run) : "");
}

ReportTable graphs(const LogReport& r) {
    std::int64_t guards = 0;
    for (const auto& g : r.graphs) guards += g.guards;
    ReportTable out{"Graphs",
                    fmt::format("{} with {}.",
                                counted(static_cast<std::int64_t>(r.graphs.size()), "graph", "graphs"),
                                counted(guards, "guard", "guards")),
                    {"graph", "function", "guards", "rejected by", "fails most"},
                    {}};
    if (r.graphs.size() > kMostRows) out.text += fmt::format(" The first {} of them:", kMostRows);
    for (const auto& g : r.graphs) {
        if (out.rows.size() == kMostRows) break;
        out.rows.push_back({graphName(g), g.function, std::to_string(g.guards),
                            g.rejected > 0 ? counted(g.rejected, "recompile", "recompiles") : "",
                            g.thrashing});
    }
    return out;
}

/// The guards that recompiles name, the ones that fail most first.
ReportTable failingGuards(const LogReport& r) {
    std::vector<std::pair<const CompiledGraph*, const Guard*>> all;
    for (const auto& g : r.graphs)
        for (const Guard& guard : g.tree.guards)
            if (guard.failures > 0) all.emplace_back(&g, &guard);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.second->failures > b.second->failures; });
    ReportTable out{"Guards that failed",
                    all.size() > kMostRows ? fmt::format("The first {} of {}:", kMostRows, all.size()) : "",
                    {"graph", "function", "failed", "guard", "code", "place", "fix"},
                    {}};
    all.resize(std::min(all.size(), kMostRows));
    for (const auto& [g, guard] : all)
        out.rows.push_back({graphName(*g), g->function, timesText(guard->failures), guard->text, guard->code,
                            guard->place, guard->fixes.empty() ? "" : guard->fixes.front()});
    return out;
}

ReportTable timeLost(const LogReport& r) {
    ReportTable out{
        "Time in compilation",
        fmt::format("{:.3g} s in {}.", r.compileSeconds, counted(r.compiles, "compile", "compiles")),
        {"function", "defined at", "seconds"},
        {}};
    for (const auto& f : r.recompiles)
        if (f.compileSeconds > 0)
            out.rows.push_back({f.name, f.site, fmt::format("{:.3g}", f.compileSeconds)});
    return out;
}

void addChanges(const LogChanges& changes, std::vector<ReportTable>& tables) {
    const auto add = [&](const char* title, const std::vector<LogChange>& list) {
        if (list.empty()) return;
        ReportTable t{title, "", {"what", "function", "place", "", "before", "after"}, {}};
        for (const auto& c : list)
            t.rows.push_back({std::string(toString(c.kind)), c.function, c.site, c.what, timesText(c.before),
                              timesText(c.after)});
        tables.push_back(std::move(t));
    };
    add("Gone since before", changes.gone);
    add("New since before", changes.fresh);
    add("Still there", changes.stayed);
    if (changes.gone.empty() && changes.fresh.empty() && changes.stayed.empty())
        tables.push_back({"Since before", "Neither log has a recompile or a graph break.", {}, {}});
}

} // namespace

std::string logsSentence(const LogReport& r) {
    return fmt::format("{} for {}, {} at {}", counted(r.recompileHeaders, "recompile", "recompiles"),
                       counted(r.rootCauses, "root cause", "root causes"),
                       counted(r.breakOccurrences, "graph break", "graph breaks"),
                       counted(static_cast<std::int64_t>(r.breaks.size()), "place", "places"));
}

std::string noteText(std::string_view key) {
    struct Note {
        std::string_view key, text;
    };
    constexpr std::array notes{
        Note{"restarts", "some compiles were restarted; what their attempts repeat counts once"},
        Note{"other-rank", "lines of other ranks were counted and left out"},
        Note{"parse-failures", "some records could not be read"},
        Note{"item-warning", "torch itself warned of Tensor.item"},
        Note{"frames-skipped", "torch gave some frames up whole; they run uncompiled"},
        Note{"missing-beginning", "the beginning of a record is not in the log"},
        Note{"cut-record", "a record says less than its kind has to say"},
        Note{"guards-cut", "not all guards are kept; the counts count them all"},
        Note{"guards-of-function",
             "the log does not say which graph failed: guards count for their function"},
        Note{"long-record", "a record was cut at its first megabytes"},
        Note{"long-lines", "a line was too long to be read"},
        Note{"too-many-kinds", "more distinct things than are listed; the totals count them"},
        Note{"timeline-cut", "more events than the timeline lists"},
        Note{"nothing-recognised", "no line is one of torch.compile's"},
    };
    for (const auto& note : notes)
        if (note.key == key) return fmt::format("{}: {}", key, note.text);
    return std::string(key);
}

LogsDocument logsDocument(const LogReport& r, const LogChanges* changes) {
    LogsDocument out;
    out.verdict = r.storm ? "storm" : "clean";
    out.sentence = logsSentence(r) + '.';
    if (changes) addChanges(*changes, out.tables);
    if (!r.recompiles.empty()) out.tables.push_back(recompiles(r));
    if (!r.breaks.empty()) out.tables.push_back(breaks(r));
    if (!r.replays.empty()) out.tables.push_back(replays(r));
    if (!r.graphs.empty()) out.tables.push_back(graphs(r));
    if (ReportTable failing = failingGuards(r); !failing.rows.empty())
        out.tables.push_back(std::move(failing));
    if (r.compiles > 0) out.tables.push_back(timeLost(r));
    out.notes.push_back(fmt::format("{}, {} not understood{}; dialect {}{}",
                                    counted(r.lines, "line", "lines"), r.unparsedLines,
                                    r.otherRank ? fmt::format(", {} of other ranks", r.otherRank) : "",
                                    r.dialect, r.versionGuess.empty() ? "" : ", torch " + r.versionGuess));
    if (r.incomplete) out.notes.push_back("The log is incomplete: the counts are lower bounds");
    for (const auto& key : r.notes) out.notes.push_back(noteText(key));
    for (const auto& line : r.unparsedSamples) out.notes.push_back("not understood, line " + line);
    return out;
}

} // namespace divdet
