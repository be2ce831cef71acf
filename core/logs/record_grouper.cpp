#include "logs/record_grouper.h"

#include "logs/guard_tree.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

/// More streams at once than any cluster that writes into one file; a hostile log may name millions.
constexpr std::size_t kMostStreams = 4096;
/// What their records take together, before all of them are handed over as they are.
constexpr std::size_t kMostOpenBytes = std::size_t{32} << 20;

/// Artifacts whose text can look like a record of ours without being one: printed code.
bool isForeign(std::string_view artifact) {
    for (const std::string_view ours : {"", "graph_breaks", "recompiles", "recompiles_verbose", "guards",
                                        "cudagraphs", "perf_hints", "cudagraph_static_inputs"})
        if (artifact == ours) return false;
    return true;
}

} // namespace

bool RecordGrouper::line(const LogLine& line) {
    return line.prefix == LogPrefix::none ? bare(line) : prefixed(line);
}

bool RecordGrouper::belongs(const LogRecord& record, const LogLine& line) {
    if (record.prefix != line.prefix || record.artifact != line.artifact) return false;
    if (record.prefix == LogPrefix::lesson) return true;
    return record.compileId == line.compileId &&
           (record.kind == RecordKind::guards || record.origin == line.origin);
}

bool RecordGrouper::prefixed(const LogLine& line) {
    m_key.assign(std::to_string(line.rank)).append("/").append(line.process);
    const auto at = m_open.find(m_key);
    const bool fits = at != m_open.end() && belongs(at->second, line);
    RecordKind kind = isForeign(line.artifact) ? RecordKind::other : openedBy(line.message, line.artifact);
    // The warning about Tensor.item ends in what would open a break of its own.
    if (fits && at->second.kind == RecordKind::itemWarning && kind == RecordKind::graphBreak)
        kind = RecordKind::other;
    if (kind != RecordKind::other) {
        open(m_key, line, kind, false);
        return true;
    }
    if (fits && at->second.kind != RecordKind::other) {
        append(at->second, line.message);
        m_last = m_key;
        return true;
    }
    const RecordKind orphan = isForeign(line.artifact) ? RecordKind::other : continues(line.message);
    close(m_key);
    if (orphan != RecordKind::other) open(m_key, line, orphan, true);
    return true;
}

bool RecordGrouper::bare(const LogLine& line) {
    const RecordKind kind = openedBy(line.message, {});
    if (const auto at = m_open.find(m_last); at != m_open.end()) {
        const bool warning = at->second.kind == RecordKind::itemWarning;
        if (repeats(at->second, line.message)) {
            at->second.lines.clear();
            at->second.lastText = 0;
            append(at->second, line.message);
            return true;
        }
        if ((kind == RecordKind::other || warning) && acceptsBare(at->second, line.message)) {
            append(at->second, line.message);
            return true;
        }
    }
    if (kind == RecordKind::other) return false;
    close(m_last);
    m_key.assign(std::to_string(line.rank)).append("/");
    open(m_key, line, kind, false);
    return true;
}

void RecordGrouper::open(const std::string& stream, const LogLine& line, RecordKind kind, bool headless) {
    close(stream);
    if (m_open.size() >= kMostStreams || m_openBytes > kMostOpenBytes) finish();
    LogRecord record;
    record.kind = kind;
    record.prefix = line.prefix;
    record.rank = line.rank;
    record.seconds = secondsOf(line.time);
    record.compileId = line.compileId;
    record.artifact = line.artifact;
    record.origin = line.origin;
    record.process = line.process;
    record.headless = headless;
    append(record, line.message);
    m_open.insert_or_assign(stream, std::move(record));
    m_last = stream;
}

void RecordGrouper::append(LogRecord& record, std::string_view message) {
    if (record.kind == RecordKind::guards) {
        const GuardLine is = guardLine(message);
        record.listedGuards += is == GuardLine::listed;
        record.treeGuards += is == GuardLine::inTree;
        record.guardsCut = record.guardsCut || record.guardText.size() + message.size() > kLongestRecord;
        if (record.guardsCut) return;
        record.guardText.append(message).push_back('\n');
        m_openBytes += message.size() + 1;
        return;
    }
    record.bytes += message.size() + sizeof(std::string);
    record.limitEnded = record.limitEnded || contains(message, "diagnose recompilation");
    if (record.bytes > kLongestRecord) {
        record.cut = true;
        return;
    }
    m_openBytes += message.size() + sizeof(std::string);
    record.lines.emplace_back(message);
    if (!trimmed(message).empty()) record.lastText = record.lines.size();
}

void RecordGrouper::close(const std::string& stream) {
    const auto at = m_open.find(stream);
    if (at == m_open.end()) return;
    const LogRecord record = std::move(at->second);
    m_open.erase(at);
    if (m_open.empty()) m_openBytes = 0;
    m_done(record);
}

void RecordGrouper::finish() {
    auto open = std::move(m_open);
    m_open.clear();
    m_openBytes = 0;
    for (const auto& [stream, record] : open) m_done(record);
}

} // namespace divdet
