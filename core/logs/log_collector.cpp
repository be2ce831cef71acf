#include "logs/log_collector.h"

#include <algorithm>

#include "logs/break_kinds.h"
#include "logs/fix_text.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

constexpr std::size_t kMostEntries = 20'000;
/// What is kept of a name or a reason; real ones are shorter.
constexpr std::size_t kLongestName = 400;

std::string shortened(std::string_view s) {
    return std::string(s.substr(0, kLongestName));
}

std::string functionKey(const CodePlace& place) {
    return shortened(place.function) + '@' + shortened(place.text());
}

std::string causeKey(const GuardReason& reason) {
    return std::string(info(reason.cause).name) + '|' + withoutNumbers(shortened(reason.source)) + '|' +
           (reason.dim ? std::to_string(*reason.dim) : "");
}

void addValue(std::vector<std::string>& values, const std::string& value) {
    if (values.size() < kMostValues && std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(shortened(value));
}

} // namespace

void LogCollector::sawProcess(std::string_view process) {
    if (process == m_process) return;
    m_process = process;
    m_latestRun.reset();
}

void LogCollector::endFile() {
    ++m_file;
    sawProcess({});
    m_latestRun.reset();
    m_recompiling.clear();
}

int LogCollector::runOf(int rank) {
    if (m_latestRun && m_latestRun->first == rank) return m_latestRun->second;
    const std::string key = std::to_string(m_file) + '/' + m_process + '/' + std::to_string(rank);
    auto at = m_runs.find(key);
    if (at == m_runs.end()) {
        if (!room(m_runs)) return -1; // all that come behind share one
        at = m_runs.try_emplace(key, static_cast<int>(m_runs.size())).first;
    }
    m_latestRun = {rank, at->second};
    return at->second;
}

std::string LogCollector::graphKey(int rank, std::string_view compileId) {
    return std::to_string(runOf(rank)) + '|' + std::string(withoutAttempt(compileId));
}

std::string LogCollector::frameKey(int rank, std::string_view compileId) {
    return std::to_string(runOf(rank)) + '|' + std::string(frameOf(compileId));
}

template <class Map>
bool LogCollector::room(const Map& map) {
    if (map.size() < kMostEntries) return true;
    note("too-many-kinds");
    return false;
}

void LogCollector::note(std::string_view key, bool incomplete) {
    m_report.incomplete = m_report.incomplete || incomplete;
    if (std::find(m_report.notes.begin(), m_report.notes.end(), key) == m_report.notes.end())
        m_report.notes.emplace_back(key);
}

void LogCollector::sawDialect(std::string_view dialect) {
    if (m_report.dialect.empty()) m_report.dialect = dialect;
}

void LogCollector::sawLine(const LogLine& line) {
    if (line.rank >= 0 && line.rank != m_rank && m_ranks.size() < kMostEntries) m_ranks.insert(line.rank);
    m_rank = line.rank;
    if (line.prefix == LogPrefix::none) return;
    m_bracket = m_bracket || line.prefix == LogPrefix::bracket;
    m_glog = m_glog || line.prefix == LogPrefix::glog;
    m_guardsLogger = m_guardsLogger || line.origin.starts_with("torch._dynamo.guards.__recompiles");
    switch (line.prefix) {
    case LogPrefix::bracket:
        return sawDialect("2.1");
    case LogPrefix::glog:
        return sawDialect("2.3");
    case LogPrefix::basic:
        return sawDialect("basic");
    case LogPrefix::lesson:
        return sawDialect("lesson");
    case LogPrefix::none:
        return;
    }
}

void LogCollector::sawAttempt(int rank, std::string_view compileId) {
    if (compileId.empty() || !room(m_attempts)) return;
    m_restarted = m_restarted || attemptOf(compileId) > 0;
    m_attempts.insert(std::to_string(runOf(rank)) + '|' + shortened(compileId));
}

void LogCollector::sawOtherRanks(std::int64_t lines) {
    m_report.otherRank += lines;
    if (lines > 0) note("other-rank");
}

void LogCollector::sawFunction(int rank, std::string_view compileId, const CodePlace& place) {
    if (!compileId.empty() && !place.function.empty() && room(m_frames))
        m_frames.try_emplace(frameKey(rank, compileId),
                             CodePlace{shortened(place.file), shortened(place.function), place.line});
}

void LogCollector::sawGraph(int rank, std::string_view compileId, std::string_view function,
                            std::int64_t guards) {
    m_report.guards += guards;
    if (compileId.empty() || !room(m_graphs)) return;
    auto& graph = m_graphs[graphKey(rank, compileId)];
    graph.rank = rank;
    graph.run = runOf(rank);
    graph.id = withoutAttempt(compileId);
    if (!function.empty()) graph.function = shortened(function);
    graph.guards = std::max(graph.guards, guards);
}

void LogCollector::sawGuards(int rank, std::string_view compileId, std::string_view text, bool cut) {
    const std::string key = graphKey(rank, compileId);
    const auto at = m_graphs.find(key);
    if (at == m_graphs.end()) return;
    GuardTree& tree = at->second.tree;
    KeptGuards& kept = m_keptGuards[key];
    const std::size_t hash = std::hash<std::string_view>()(text);
    if (kept.bytes > 0 && kept.hash == hash) return; // several runs in one log
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    const std::size_t bytes = text.size() + lines * sizeof(Guard);
    m_guardBytes -= kept.bytes;
    if (m_guardBytes + bytes <= kMostGuardBytes) {
        tree = parseGuardTree(text);
        tree.cut = cut;
        kept = {bytes, hash};
    } else {
        tree = {};
        tree.cut = true;
        kept = {};
    }
    m_guardBytes += kept.bytes;
    if (tree.cut) note("guards-cut");
}

void LogCollector::event(LogEvent::Kind kind, std::optional<double> at, std::string_view compileId,
                         std::string_view function, std::optional<double> lost) {
    if (!at) return;
    if (m_report.timeline.size() >= kMostEvents) return note("timeline-cut");
    m_report.timeline.push_back({kind, *at, shortened(compileId), shortened(function), lost});
}

void LogCollector::sawCompile(int rank, std::string_view compileId, const CodePlace& place,
                              std::optional<double> at, double lost) {
    sawFunction(rank, compileId, place);
    ++m_report.compiles;
    m_report.compileSeconds += lost;
    if (at) *at -= lost;
    event(LogEvent::Kind::compile, at, compileId, place.function, lost);
    const std::string key = functionKey(place);
    if (m_secondsOf.contains(key) || room(m_secondsOf)) m_secondsOf[key] += lost;
}

void LogCollector::take(const LogRecord& record) {
    sawProcess(record.process);
    if (record.kind != RecordKind::other) sawAttempt(record.rank, record.compileId);
    if (!record.compileId.empty() && !withoutAttempt(record.compileId).ends_with("/0"))
        if (const auto at = m_recompiling.find(runOf(record.rank)); at != m_recompiling.end()) {
            sawFunction(record.rank, record.compileId, at->second);
            m_recompiling.erase(at);
        }
    if (record.prefix == LogPrefix::none) sawDialect("bare");
    if (record.cut) note("long-record", true);
    if (record.headless) note("missing-beginning", true);
    switch (record.kind) {
    case RecordKind::recompile:
        return takeRecompile(record);
    case RecordKind::limit:
        return takeLimit(record);
    case RecordKind::graphBreak:
        return takeBreak(record);
    case RecordKind::itemWarning:
        return takeItemWarning(record);
    case RecordKind::guards:
        return takeGuards(record);
    case RecordKind::replay: {
        const ParsedReplay parsed = parseReplay(record);
        const std::string key = (parsed.skipped ? "s" : "r") + withoutNumbers(parsed.reason);
        if (!m_replays.contains(key) && !room(m_replays)) return;
        auto& replay = m_replays.try_emplace(key, GraphReplay{parsed.skipped, shortened(parsed.reason), 0})
                           .first->second;
        ++replay.count;
        return;
    }
    case RecordKind::other:
        return;
    }
}

void LogCollector::takeGuards(const LogRecord& record) {
    // Short formats name no graph.
    const std::string id =
        record.compileId.empty() ? '#' + std::to_string(++m_unnamedGraphs) : record.compileId;
    sawGraph(record.rank, id, {}, record.treeGuards > 0 ? record.treeGuards : record.listedGuards);
    sawGuards(record.rank, id, record.guardText, record.guardsCut);
}

CodePlace LogCollector::placeOf(const CodePlace& parsed, const LogRecord& record) {
    if (!parsed.function.empty()) return parsed;
    if (const auto at = m_frames.find(frameKey(record.rank, record.compileId)); at != m_frames.end())
        return at->second;
    CodePlace unknown = parsed;
    unknown.function =
        record.compileId.empty() ? "(unknown)" : "frame " + std::string(frameOf(record.compileId));
    return unknown;
}

LogCollector::FunctionEntry* LogCollector::functionOf(const CodePlace& place, int rank) {
    const std::string key = functionKey(place);
    if (!m_functions.contains(key) && !room(m_functions)) return nullptr;
    auto& entry = m_functions[key];
    entry.function.name = shortened(place.function);
    entry.function.site = shortened(place.text());
    if (room(m_groups)) m_groups.insert(std::to_string(rank) + '|' + key);
    return &entry;
}

void LogCollector::addReason(FunctionEntry& f, const GuardReason& reason, const std::string& key, int run,
                             std::set<std::string>& counted) {
    if (room(m_reasons)) m_reasons.insert(key);
    if (!reason.object.empty() && room(f.objects)) f.objects.insert(shortened(reason.object));
    if (!f.causes.contains(key) && !room(f.causes)) return;
    auto& cause = f.causes[key];
    cause.cause = reason.cause;
    if (cause.source.empty()) cause.source = shortened(reason.source);
    cause.dim = reason.dim;
    // Values are listed as they were seen: bullets name the latest graph first, so the older come in with it.
    for (const auto& value : reason.values) addValue(cause.values, value);
    if (counted.insert(key).second) {
        ++cause.count;
        if (f.causeCounts.contains({run, key}) || room(f.causeCounts)) ++f.causeCounts[{run, key}];
    }
    // From 2.7 on a source is printed as the user wrote it.
    if (!reason.source.empty() && !contains(reason.source, "L['") && !contains(reason.source, "G['") &&
        (reason.cause == Cause::dynamicShape || reason.cause == Cause::dtype))
        m_shortNames = true;
}

std::set<std::string> LogCollector::addReasons(FunctionEntry& f, const LogRecord& record,
                                               const CodePlace& place,
                                               const std::vector<GuardReason>& reasons, bool failures) {
    std::set<std::string> counted;
    std::set<std::string_view> rejected;
    std::set<std::pair<std::string_view, std::string_view>> failed; // graph, guard
    const std::string function = functionKey(place);
    const int run = runOf(record.rank);
    const std::string ofRun = std::to_string(run) + '|' + function;
    for (const GuardReason& reason : reasons) {
        const std::string key = causeKey(reason);
        addReason(f, reason, key, run, counted);
        if (!failures) continue;
        const bool named = !reason.graph.empty();
        const std::string graph = named ? graphKey(record.rank, reason.graph) : ofRun;
        if (named && rejected.insert(reason.graph).second && (m_rejected.contains(graph) || room(m_rejected)))
            ++m_rejected[graph];
        if (failed.emplace(reason.graph, reason.guard).second)
            m_failures.saw(graph, reason.guard, function + '|' + key);
    }
    return counted;
}

void LogCollector::takeRecompile(const LogRecord& record) {
    const ParsedRecompile parsed = parseRecompile(record);
    m_tuple = m_tuple || parsed.tuple;
    m_idBeforeReason = m_idBeforeReason || parsed.idBeforeReason;
    ++m_report.recompileHeaders;
    m_report.guardFailureLines += static_cast<std::int64_t>(parsed.reasons.size());
    if (parsed.reasons.empty()) note("cut-record", true);
    const CodePlace place = placeOf(parsed.place, record);
    event(LogEvent::Kind::recompile, record.seconds, record.compileId, place.function);
    sawFunction(record.rank, record.compileId, place);
    const int run = runOf(record.rank);
    if (record.compileId.empty() && (m_recompiling.contains(run) || room(m_recompiling)))
        m_recompiling.insert_or_assign(
            run, CodePlace{shortened(place.file), shortened(place.function), place.line});
    FunctionEntry* f = functionOf(place, record.rank);
    if (!f) return;
    ++f->function.count;
    if (f->counts.contains(run) || room(f->counts)) ++f->counts[run];
    addReasons(*f, record, place, parsed.reasons, true);
}

void LogCollector::takeLimit(const LogRecord& record) {
    const ParsedLimit parsed = parseLimit(record);
    m_plural = m_plural || parsed.plural;
    m_idBeforeReason = m_idBeforeReason || parsed.idBeforeReason;
    m_newLimitName = m_newLimitName || contains(parsed.option, "recompile_limit");
    m_report.limitHit = true;
    if (parsed.limit) m_statedLimit = std::max(m_statedLimit, *parsed.limit);
    if (parsed.place.function.empty()) note("cut-record", true);
    const CodePlace place = placeOf(parsed.place, record);
    event(LogEvent::Kind::limit, record.seconds, record.compileId, place.function);
    sawFunction(record.rank, record.compileId, place);
    FunctionEntry* f = functionOf(place, record.rank);
    if (!f) return;
    f->function.limitHit = true;
    if (parsed.limit) f->function.limit = *parsed.limit;
    // The last reason was printed as a recompile too where those are logged: it counts for itself only if
    // not.
    const auto before = f->function.count;
    const auto counted = addReasons(*f, record, place, parsed.reasons, before == 0);
    if (before > 0)
        for (auto& [key, cause] : f->causes)
            if (counted.contains(key)) {
                --cause.count;
                if (const auto at = f->causeCounts.find({runOf(record.rank), key});
                    at != f->causeCounts.end())
                    --at->second;
            }
}

void LogCollector::takeBreak(const LogRecord& record) {
    const ParsedBreak parsed = parseBreak(record);
    m_newReasonName =
        m_newReasonName || std::any_of(record.lines.begin(), record.lines.end(),
                                       [](const auto& l) { return l.starts_with("Graph Break Reason:"); });
    if (record.prefix == LogPrefix::none && !record.lines.empty() &&
        record.lines.front().starts_with("GraphCompileReason("))
        m_report.dialect = "reasons";
    // torch 2.0 has no artifacts: its breaks are warnings of the module.
    m_plural = m_plural || (record.prefix == LogPrefix::bracket && record.artifact.empty());
    if (parsed.frameSkipped) return note("frames-skipped");
    if (parsed.reason.empty() && !parsed.suppressed) note("cut-record", true);
    addBreak(parsed, record);
}

void LogCollector::addBreak(const ParsedBreak& parsed, const LogRecord& record) {
    const BreakKind& kind = breakKind(parsed.told);
    const std::string reason = shortened(parsed.reason);
    const std::string site = shortened(parsed.place.text());
    std::string key = site + '|' + withoutNumbers(reason);
    // A shortened record without a reason is one more of the break that its place had before.
    if (parsed.suppressed && reason.empty())
        if (const auto same = m_breaks.lower_bound(site + '|');
            same != m_breaks.end() && same->first.starts_with(site + '|'))
            key = same->first;
    if (!record.compileId.empty()) {
        const std::string once = graphKey(record.rank, record.compileId) + '|' + key;
        if (m_breakAttempt.contains(once) || room(m_breakAttempt)) {
            const int attempt = attemptOf(record.compileId);
            if (m_breakAttempt.try_emplace(once, attempt).first->second != attempt)
                return; // a restart's echo
        }
    }
    ++m_report.breakOccurrences;
    event(LogEvent::Kind::graphBreak, record.seconds, record.compileId, parsed.place.function);
    if (!m_breaks.contains(key) && !room(m_breaks)) return;
    auto& b = m_breaks[key];
    b.site = site;
    if (b.function.empty()) b.function = shortened(parsed.place.function);
    // A shortened record has only the reason; the whole one came before it.
    if (b.kind.empty() || (!parsed.suppressed && b.kind != kind.name)) {
        b.kind = kind.name;
        b.fixes.assign(kind.fixes.begin(),
                       std::find(kind.fixes.begin(), kind.fixes.end(), std::string_view()));
        b.fixText = breakFixText(kind, site, parsed.inFramework);
    }
    if (!reason.empty()) b.reason = reason;
    if (b.code.empty()) b.code = parsed.code;
    b.inFramework = parsed.inFramework;
    ++b.count;
    b.suppressed += parsed.suppressed;
}

void LogCollector::takeItemWarning(const LogRecord& record) {
    note("item-warning");
    ParsedBreak parsed = parseBreak(record);
    if (parsed.place.file.empty() || !room(m_itemWarnings)) return;
    const BreakKind& kind = breakKind("Tensor.item");
    auto& b = m_itemWarnings[parsed.place.text()];
    b.site = shortened(parsed.place.text());
    b.function = shortened(parsed.place.function);
    b.kind = kind.name;
    b.reason = "Tensor.item";
    b.code = parsed.code;
    b.fixes.assign(kind.fixes.begin(), std::find(kind.fixes.begin(), kind.fixes.end(), std::string_view()));
    b.fixText = breakFixText(kind, b.site, false);
    ++b.count;
}

} // namespace divdet
