#include "logs/trace_gaps.h"

#include <algorithm>

#include "logs/log_line.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

std::string keyOf(int rank, std::string_view id) {
    return std::to_string(rank) + '|' + std::string(id);
}

/// Whether `id` is a compile of a function that was compiled before.
bool isAgain(std::string_view id) {
    std::string_view number = id.substr(id.rfind('/') + 1);
    return takeNumber(number).value_or(0) > 0;
}

/// torch_dynamo_resume_in_attend_at_15 is the rest of attend behind a break in line 15.
std::optional<CodePlace> breakBefore(const CodePlace& resumed) {
    constexpr std::string_view start = "torch_dynamo_resume_in_";
    std::string_view name = resumed.function;
    if (!name.starts_with(start)) return std::nullopt;
    name.remove_prefix(start.size());
    const auto at = name.rfind("_at_");
    if (at == std::string_view::npos) return std::nullopt;
    std::string_view number = name.substr(at + 4);
    const auto line = takeNumber(number);
    if (!line || !number.empty()) return std::nullopt;
    return CodePlace{resumed.file, std::string(name.substr(0, at)), static_cast<int>(*line)};
}

LogRecord recordOf(RecordKind kind, int rank, std::string_view id, std::optional<double> at) {
    LogRecord r;
    r.kind = kind;
    r.prefix = LogPrefix::glog;
    r.rank = rank;
    r.compileId = id;
    r.seconds = at;
    return r;
}

} // namespace

TraceGaps::Compile* TraceGaps::entry(int rank, std::string_view compileId) {
    if (compileId.empty()) return nullptr;
    const std::string_view id = withoutAttempt(compileId);
    const std::string key = keyOf(rank, id);
    if (!m_compiles.contains(key) && m_compiles.size() >= kMostEntries) return nullptr;
    Compile& c = m_compiles[key];
    c.rank = rank;
    c.id = id;
    return &c;
}

void TraceGaps::sawStart(int rank, std::string_view compileId, std::optional<double> at) {
    if (Compile* c = entry(rank, compileId); c && !c->started) {
        c->started = true;
        c->at = at;
    }
}

void TraceGaps::sawReasons(int rank, std::string_view compileId, std::optional<double> at) {
    if (Compile* c = entry(rank, compileId)) {
        c->reasoned = true;
        if (!c->started) c->at = at;
    }
}

void TraceGaps::sawPlace(int rank, std::string_view compileId, const CodePlace& place) {
    if (compileId.empty() || place.function.empty() || m_places.size() >= kMostEntries) return;
    m_places.try_emplace(keyOf(rank, frameOf(withoutAttempt(compileId))), place);
}

const CodePlace* TraceGaps::placeOf(const Compile& compile) const {
    const auto at = m_places.find(keyOf(compile.rank, frameOf(compile.id)));
    return at == m_places.end() ? nullptr : &at->second;
}

void TraceGaps::recompiles(LogCollector& out) const {
    for (const auto& [key, c] : m_compiles) {
        if (!c.started || !isAgain(c.id)) continue;
        LogRecord r = recordOf(RecordKind::recompile, c.rank, c.id, c.at);
        if (const CodePlace* p = placeOf(c))
            r.lines.push_back("Recompiling function " + p->function + " in " + p->text());
        r.lines.push_back("    - " + std::string(kNoReasonInTrace));
        out.take(r);
    }
}

void TraceGaps::breaks(LogCollector& out) const {
    for (const auto& [key, c] : m_compiles) {
        const CodePlace* resumed = c.started ? placeOf(c) : nullptr;
        const auto place = resumed ? breakBefore(*resumed) : std::nullopt;
        if (!place) continue;
        LogRecord r = recordOf(RecordKind::graphBreak, c.rank, c.id, c.at);
        r.lines = {"Graph break in user code at " + place->text(), "Reason: " + std::string(kNoReasonInTrace),
                   "  File \"" + place->file + "\", line " + std::to_string(place->line) + ", in " +
                       place->function};
        out.take(r);
    }
}

void TraceGaps::limits(LogCollector& out) const {
    for (const auto& [key, c] : m_compiles) {
        const CodePlace* p = placeOf(c);
        if (c.started || !c.reasoned || !p) continue;
        LogRecord r = recordOf(RecordKind::limit, c.rank, c.id, c.at);
        r.lines = {"function: '" + p->function + "' (" + p->text() + ")"};
        out.take(r);
    }
}

void TraceGaps::finish(LogCollector& out, bool limitKnown) {
    const bool starts = std::any_of(m_compiles.begin(), m_compiles.end(),
                                    [](const auto& entry) { return entry.second.started; });
    const bool reasons = std::any_of(m_compiles.begin(), m_compiles.end(),
                                     [](const auto& entry) { return entry.second.reasoned; });
    // A trace that tells some tells all: then what has none is a compile of another kind.
    if (!reasons) recompiles(out);
    if (!m_tellsBreaks) breaks(out);
    if (starts && !limitKnown) limits(out);
    m_compiles.clear();
    m_places.clear();
    m_tellsBreaks = false;
}

} // namespace divdet
