// What can only be said when the whole log was read.
#include <algorithm>
#include <limits>
#include <tuple>

#include "logs/fix_text.h"
#include "logs/log_collector.h"
#include "logs/log_line.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

/// Below it the verdict stays clean: a dim that changes once is made dynamic by torch itself.
constexpr std::int64_t kStormRecompiles = 3;
constexpr std::int64_t kStormBreaks = 3;
constexpr std::int64_t kStormIslands = 3;

/// A stride other than 1 on both sides is the size of a dim behind it.
bool followsASize(const RecompileCause& cause) {
    return !cause.values.empty() &&
           std::all_of(cause.values.begin(), cause.values.end(), [](const std::string& v) {
               return !v.empty() && v != "1" && v != "0" &&
                      v.find_first_not_of("0123456789") == std::string::npos;
           });
}

/// 10/2 comes behind 9/0.
std::vector<std::int64_t> numbersIn(std::string_view id) {
    std::vector<std::int64_t> out;
    while (!id.empty()) {
        if (const auto n = takeNumber(id))
            out.push_back(*n);
        else
            id.remove_prefix(1);
    }
    return out;
}

void addFix(std::vector<std::string_view>& fixes, std::string_view fix) {
    if (!fix.empty() && std::find(fixes.begin(), fixes.end(), fix) == fixes.end()) fixes.push_back(fix);
}

} // namespace

std::string_view toString(LogEvent::Kind kind) {
    switch (kind) {
    case LogEvent::Kind::compile:
        return "compile";
    case LogEvent::Kind::recompile:
        return "recompile";
    case LogEvent::Kind::graphBreak:
        return "graph-break";
    case LogEvent::Kind::limit:
        break;
    }
    return "limit";
}

void LogCollector::finishFunctions() {
    bool sizesChange = false;
    for (const auto& [key, f] : m_functions)
        for (const auto& [k, cause] : f.causes)
            sizesChange = sizesChange || cause.cause == Cause::dynamicShape;
    std::set<std::string> roots;
    for (auto& [key, entry] : m_functions) {
        RecompiledFunction f = std::move(entry.function);
        if (f.limit == 0) f.limit = m_report.limit;
        if (const auto at = m_secondsOf.find(key); at != m_secondsOf.end()) f.compileSeconds = at->second;
        for (const auto& [run, count] : entry.counts)
            if (m_configuredLimit > 0 && count >= m_configuredLimit) f.limitHit = true;
        for (const auto& [cause, count] : entry.causeCounts)
            if (count >= kStormRecompiles) m_report.storm = true;
        m_report.limitHit = m_report.limitHit || f.limitHit;
        m_report.functionsAtLimit += f.limitHit;
        for (auto& [k, c] : entry.causes) {
            RecompileCause cause = std::move(c);
            if (cause.cause == Cause::stride && sizesChange && followsASize(cause)) {
                cause.cause = Cause::dynamicShape;
                cause.dim.reset();
            }
            cause.fixText = causeFixText(cause);
            m_failures.sawFix(key + '|' + k, cause.fixText);
            roots.insert(std::string(info(cause.cause).name) +
                         (info(cause.cause).spreads ? "" : '|' + withoutNumbers(userName(cause.source))));
            for (const auto fix : info(cause.cause).fixes) addFix(f.fixes, fix);
            f.causes.push_back(std::move(cause));
        }
        std::stable_sort(f.causes.begin(), f.causes.end(),
                         [](const auto& a, const auto& b) { return a.count > b.count; });
        if (f.limitHit) addFix(f.fixes, "error-on-limit"), addFix(f.fixes, "raise-limit");
        // The object that came last has no graph yet, so no check names it.
        if (!entry.objects.empty()) f.objects = static_cast<std::int64_t>(entry.objects.size()) + 1;
        m_report.recompiles.push_back(std::move(f));
    }
    std::stable_sort(m_report.recompiles.begin(), m_report.recompiles.end(),
                     [](const auto& a, const auto& b) {
                         return std::pair(a.limitHit, a.count) > std::pair(b.limitHit, b.count);
                     });
    for (const auto& f : m_report.recompiles) m_finished.emplace(f.name + '@' + f.site, &f);
    m_report.rootCauses = static_cast<std::int64_t>(roots.size());
    m_report.distinctReasons = static_cast<std::int64_t>(m_reasons.size());
    m_report.perRankGroups = static_cast<std::int64_t>(m_groups.size());
}

void LogCollector::finishBreaks() {
    // A log without the artifact graph_breaks still warns about Tensor.item.
    std::set<std::string> sites;
    for (const auto& [key, b] : m_breaks) sites.insert(b.site);
    for (auto& [site, b] : m_itemWarnings)
        if (!sites.contains(site)) {
            m_report.breakOccurrences += b.count;
            m_breaks.emplace(site + "|item", std::move(b));
        }
    // Shortened records name only the place; a whole one of the same place knew the function.
    std::map<std::string, std::string> functionAt;
    for (const auto& [key, b] : m_breaks)
        if (!b.function.empty()) functionAt.emplace(b.site, b.function);
    for (auto& [key, b] : m_breaks) {
        if (const auto at = functionAt.find(b.site); b.function.empty() && at != functionAt.end())
            b.function = at->second;
        m_report.breaks.push_back(std::move(b));
    }
    std::stable_sort(m_report.breaks.begin(), m_report.breaks.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
}

/// `newest`: nothing of its function was compiled behind it.
void LogCollector::finishGraph(CompiledGraph& graph, const std::string& key, bool newest) {
    if (const auto at = m_rejected.find(key); at != m_rejected.end()) graph.rejected = at->second;
    if (graph.guards == 0)
        graph.guards = std::count_if(graph.tree.guards.begin(), graph.tree.guards.end(),
                                     [](const Guard& guard) { return guard.check; });
    std::string function;
    const RecompiledFunction* recompiled = nullptr;
    if (const auto at = m_frames.find(std::string(frameOf(key))); at != m_frames.end()) {
        if (graph.function.empty()) graph.function = at->second.function;
        function = at->second.function + '@' + at->second.text();
        if (const auto f = m_finished.find(function); f != m_finished.end()) recompiled = f->second;
    }
    // What failed without saying of which graph was no graph that came after all of it; at the limit the
    // newest failed too.
    const bool shares = !newest || (recompiled && recompiled->limitHit);
    if (m_failures.mark(graph.tree, key, shares ? std::to_string(graph.run) + '|' + function : std::string()))
        note("guards-of-function");
    if (!recompiled || recompiled->causes.empty()) return;
    const auto& c = recompiled->causes.front();
    graph.thrashing = c.source;
    if (c.cause == Cause::dynamicShape && c.dim && !contains(c.source, ".size()"))
        graph.thrashing += ".size()[" + std::to_string(*c.dim) + "]";
}

void LogCollector::finishGraphs() {
    const auto numberOf = [](std::string_view id) {
        const auto numbers = numbersIn(id);
        return numbers.empty() ? 0 : numbers.back();
    };
    std::unordered_map<std::string, std::int64_t> newest; // of a frame
    for (const auto& [key, graph] : m_graphs) {
        std::int64_t& most = newest[std::string(frameOf(key))];
        most = std::max(most, numberOf(graph.id));
    }
    std::set<std::pair<int, int>> runs; // rank, run
    for (auto& [key, graph] : m_graphs) {
        finishGraph(graph, key, numberOf(graph.id) == newest[std::string(frameOf(key))]);
        runs.emplace(graph.rank, graph.run);
    }
    for (auto& [key, graph] : m_graphs) {
        const auto first = runs.lower_bound({graph.rank, std::numeric_limits<int>::min()});
        graph.run = 1 + static_cast<int>(std::distance(first, runs.find({graph.rank, graph.run})));
        m_report.graphs.push_back(std::move(graph));
    }
    std::stable_sort(m_report.graphs.begin(), m_report.graphs.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.rank, a.run, numbersIn(a.id)) < std::tuple(b.rank, b.run, numbersIn(b.id));
    });
    for (auto& [key, replay] : m_replays) m_report.replays.push_back(std::move(replay));
}

void LogCollector::finishTimeline() {
    auto& events = m_report.timeline;
    std::stable_sort(events.begin(), events.end(),
                     [](const LogEvent& a, const LogEvent& b) { return a.at < b.at; });
    if (events.empty()) return;
    // A log that has nothing of 29 February is of a year without one, as most are.
    const auto isLeapDay = [](const LogEvent& e) {
        return e.at >= kLeapDay && e.at < kLeapDay + kDaySeconds;
    };
    if (events.front().at < kLeapDay && std::none_of(events.begin(), events.end(), isLeapDay))
        for (LogEvent& e : events)
            if (e.at >= kLeapDay) e.at -= kDaySeconds;
    const double first = events.front().at;
    for (LogEvent& e : events) e.at -= first;
}

void LogCollector::finishVerdict() {
    std::map<std::string, std::int64_t> sitesOf; // of a function: n breaks split it into n + 1 islands
    for (const auto& b : m_report.breaks) {
        if (b.count >= kStormBreaks) m_report.storm = true;
        if (b.function.empty() || b.function == "<module>") continue;
        const std::string key = b.site.substr(0, b.site.rfind(':')) + '|' + b.function;
        if (++sitesOf[key] + 1 >= kStormIslands) m_report.storm = true;
    }
    if (m_report.limitHit) m_report.storm = true;
}

std::string LogCollector::versionGuess() const {
    if (!m_version.empty()) return m_version;
    if (m_plural) return "2.0";
    if (m_tuple) return "2.1";
    if (m_bracket) return m_guardsLogger ? "2.1 or 2.2" : "2.0 to 2.2";
    if (m_newLimitName || m_newReasonName || (m_glog && m_shortNames)) return "2.7 or later";
    if (m_idBeforeReason) return "2.5 or later";
    return m_glog ? "2.3 or later" : "";
}

LogReport LogCollector::finish() {
    if (m_plural) m_report.dialect = "2.0";
    m_report.versionGuess = versionGuess();
    // What torch has by default where the log does not say; 64 up to 2.1, measured.
    m_report.limit = m_statedLimit         ? m_statedLimit
                     : m_configuredLimit   ? m_configuredLimit
                     : m_plural || m_tuple ? 64
                                           : 8;
    finishFunctions();
    finishBreaks();
    finishGraphs();
    finishTimeline();
    finishVerdict();
    if (m_restarted) {
        m_report.attempts = static_cast<std::int64_t>(m_attempts.size());
        note("restarts");
    }
    if (m_report.dialect.empty()) {
        m_report.dialect = "none";
        note("nothing-recognised");
    }
    m_report.ranks.assign(m_ranks.begin(), m_ranks.end());
    if (m_report.ranks.empty()) m_report.ranks = {0};
    return std::move(m_report);
}

} // namespace divdet
