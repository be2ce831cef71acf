#include "session/logs_json.h"

#include <charconv>

#include "report/version.h"

namespace divdet {
namespace {

/// Sizes and integers as numbers, everything else as text.
Json valueJson(const std::string& value) {
    std::int64_t whole = 0;
    const char* end = value.data() + value.size();
    if (const auto r = std::from_chars(value.data(), end, whole); r.ec == std::errc() && r.ptr == end)
        return whole;
    return value;
}

Json toJson(const RecompileCause& c) {
    Json values = Json::array();
    for (const auto& v : c.values) values.push_back(valueJson(v));
    Json fixes = Json::array();
    for (const auto fix : info(c.cause).fixes)
        if (!fix.empty()) fixes.push_back(fix);
    return {{"class", info(c.cause).name},
            {"source", c.source},
            {"dim", c.dim ? Json(*c.dim) : Json(nullptr)},
            {"values", values},
            {"count", c.count},
            {"fixes", fixes},
            {"fix_text", c.fixText}};
}

Json toJson(const RecompiledFunction& f) {
    Json causes = Json::array();
    for (const auto& c : f.causes) causes.push_back(toJson(c));
    return {{"function", f.name},
            {"site", f.site.empty() ? Json(nullptr) : Json(f.site)},
            {"count", f.count},
            {"limit", f.limit},
            {"limit_hit", f.limitHit},
            {"objects", f.objects},
            {"fixes", f.fixes},
            {"causes", causes},
            {"compile_seconds", f.compileSeconds > 0 ? Json(f.compileSeconds) : Json(nullptr)}};
}

Json toJson(const GraphBreak& b) {
    return {{"site", b.site.empty() ? Json(nullptr) : Json(b.site)},
            {"function", b.function.empty() ? Json(nullptr) : Json(b.function)},
            {"kind", b.kind},
            {"reason", b.reason},
            {"code", b.code.empty() ? Json(nullptr) : Json(b.code)},
            {"count", b.count},
            {"suppressed", b.suppressed},
            {"location", b.inFramework ? "framework" : "user"},
            {"fixes", b.fixes},
            {"fix_text", b.fixText}};
}

Json toJson(const LogChange& c) {
    return {{"kind", toString(c.kind)},
            {"function", c.function.empty() ? Json(nullptr) : Json(c.function)},
            {"site", c.site.empty() ? Json(nullptr) : Json(c.site)},
            {"what", c.what},
            {"before", c.before},
            {"after", c.after}};
}

template <class Items>
Json listOf(const Items& items) {
    Json out = Json::array();
    for (const auto& item : items) out.push_back(toJson(item));
    return out;
}

Json changesJson(const LogReport& before, const LogChanges& c) {
    return {{"before",
             {{"verdict", before.storm ? "storm" : "clean"},
              {"recompile_headers", before.recompileHeaders},
              {"root_causes", before.rootCauses},
              {"graph_breaks_distinct", before.breaks.size()},
              {"graph_break_occurrences", before.breakOccurrences},
              {"functions_at_limit", before.functionsAtLimit}}},
            {"gone", listOf(c.gone)},
            {"new", listOf(c.fresh)},
            {"stayed", listOf(c.stayed)}};
}

Json toJson(const Guard& g) {
    return {{"depth", g.depth},
            {"check", g.check},
            {"kind", g.kind.empty() ? Json(nullptr) : Json(g.kind)},
            {"text", g.text},
            {"access", g.access.empty() ? Json(nullptr) : Json(g.access)},
            {"code", g.code.empty() ? Json(nullptr) : Json(g.code)},
            {"place", g.place.empty() ? Json(nullptr) : Json(g.place)},
            {"failures", g.failures},
            {"fix_texts", g.fixes}};
}

Json toJson(const GuardTree& tree, const GuardSearch& search) {
    const GuardHits found = searchGuards(tree, search);
    Json guards = Json::array();
    for (std::size_t i = 0; i < tree.guards.size(); ++i)
        if (found.shown[i]) guards.push_back(toJson(tree.guards[i]));
    return {{"hits", found.hits},
            {"cut", tree.cut},
            {"eval_microseconds", tree.evalMicroseconds ? Json(*tree.evalMicroseconds) : Json(nullptr)},
            {"guards", guards}};
}

Json toJson(const CompiledGraph& g, const GuardSearch* search) {
    Json out = {{"id", g.id},
                {"run", g.run},
                {"rank", g.rank >= 0 ? Json(g.rank) : Json(nullptr)},
                {"function", g.function.empty() ? Json(nullptr) : Json(g.function)},
                {"guards", g.guards},
                {"rejected", g.rejected},
                {"thrashing", g.thrashing.empty() ? Json(nullptr) : Json(g.thrashing)}};
    if (search) out["tree"] = toJson(g.tree, *search);
    return out;
}

} // namespace

Json logsJson(const LogReport& r, const LogReport* before, const LogChanges* changes,
              const GuardSearch* guards) {
    Json graphs = Json::array(), replays = Json::array(), timeline = Json::array();
    for (const auto& g : r.graphs) graphs.push_back(toJson(g, guards));
    for (const auto& p : r.replays)
        replays.push_back(
            {{"kind", p.skipped ? "skipped" : "re-recorded"}, {"reason", p.reason}, {"count", p.count}});
    for (const auto& e : r.timeline)
        timeline.push_back({{"seconds", e.at},
                            {"kind", toString(e.kind)},
                            {"id", e.id.empty() ? Json(nullptr) : Json(e.id)},
                            {"function", e.function.empty() ? Json(nullptr) : Json(e.function)},
                            {"lost", e.lost ? Json(*e.lost) : Json(nullptr)}});
    return {{"tool", "divdet"},
            {"version", version()},
            {"schema", 1},
            {"command", "logs"},
            {"verdict", r.storm ? "storm" : "clean"},
            {"dialect", r.dialect},
            {"torch_version_guess", r.versionGuess.empty() ? Json(nullptr) : Json(r.versionGuess)},
            {"lines", r.lines},
            {"record_lines", r.recordLines},
            {"unparsed_lines", r.unparsedLines},
            {"incomplete", r.incomplete},
            {"ranks", r.ranks},
            {"attempts", r.attempts},
            {"recompile_headers", r.recompileHeaders},
            {"guard_failure_lines", r.guardFailureLines},
            {"distinct_reasons", r.distinctReasons},
            {"root_causes", r.rootCauses},
            {"limit_hit", r.limitHit},
            {"limit", r.limit},
            {"functions_at_limit", r.functionsAtLimit},
            {"per_rank_groups", r.perRankGroups},
            {"graph_breaks_distinct", r.breaks.size()},
            {"graph_break_occurrences", r.breakOccurrences},
            {"other_rank", r.otherRank},
            {"recompiles", listOf(r.recompiles)},
            {"graph_breaks", listOf(r.breaks)},
            {"graphs", graphs},
            {"replay", replays},
            {"guards", r.guards},
            {"timeline", timeline},
            {"compiles", r.compiles > 0 ? Json(r.compiles) : Json(nullptr)},
            {"compile_seconds", r.compileSeconds > 0 ? Json(r.compileSeconds) : Json(nullptr)},
            {"notes", r.notes},
            {"unparsed_samples", r.unparsedSamples},
            {"changes", before && changes ? changesJson(*before, *changes) : Json(nullptr)}};
}

} // namespace divdet
