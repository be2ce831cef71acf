#include "logs/log_reader.h"

#include <algorithm>

#include "logs/record_grouper.h"
#include "logs/summary_text.h"
#include "logs/text_scan.h"
#include "logs/trace_reader.h"

namespace divdet {
namespace {

constexpr std::size_t kSamples = 20, kSampleBytes = 200;

} // namespace

struct LogReader::State {
    explicit State(const LogOptions& o)
        : options(o)
        , grouper([this](const LogRecord& r) { out.take(r); })
        , trace(std::make_unique<TraceReader>(out, o.rank)) {}

    void line(std::string_view bytes);
    void text(const LogLine& line, std::string_view whole);
    void notUnderstood(std::string_view whole);

    LogOptions options;
    LogCollector out;
    RecordGrouper grouper;
    std::unique_ptr<TraceReader> trace;
    std::string pending, colourless;
    bool tooLong = false;   ///< the rest of the current line is dropped
    bool otherRank = false; ///< the latest line with a rank was of another one
};

LogReader::LogReader(LogOptions options)
    : m_state(std::make_unique<State>(options)) {}
LogReader::~LogReader() = default;

void LogReader::State::notUnderstood(std::string_view whole) {
    auto& counts = out.counts();
    ++counts.unparsedLines;
    if (counts.unparsedSamples.size() < kSamples)
        counts.unparsedSamples.push_back(std::to_string(counts.lines) + ": " +
                                         std::string(whole.substr(0, kSampleBytes)));
}

void LogReader::State::line(std::string_view bytes) {
    auto& counts = out.counts();
    ++counts.lines;
    const std::string_view whole = withoutColours(bytes, colourless);
    if (trace->payload(whole)) {
        ++counts.recordLines;
        return;
    }
    const LogLine parsed = parseLogLine(whole);
    if (trace->envelope(parsed)) {
        ++counts.recordLines;
        return;
    }
    text(parsed, whole);
}

void LogReader::State::text(const LogLine& parsed, std::string_view whole) {
    auto& counts = out.counts();
    if (parsed.rank >= 0 || parsed.prefix != LogPrefix::none)
        otherRank = options.rank && parsed.rank >= 0 && parsed.rank != *options.rank;
    if (otherRank) return out.sawOtherRanks(1);
    out.sawLine(parsed);
    const bool summary = parsed.prefix == LogPrefix::none && readSummaryLine(whole, out);
    if (summary || grouper.line(parsed) || trimmed(whole).empty())
        ++counts.recordLines;
    else
        notUnderstood(whole);
}

void LogReader::feed(std::string_view bytes) {
    State& s = *m_state;
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const std::string_view part = bytes.substr(0, end);
        if (s.pending.size() + part.size() > kLongestLine) s.tooLong = true;
        if (end == std::string_view::npos) {
            if (!s.tooLong) s.pending.append(part);
            return;
        }
        if (s.tooLong) {
            ++s.out.counts().lines;
            s.out.note("long-lines", true);
            s.notUnderstood(s.pending);
            s.tooLong = false;
        } else if (s.pending.empty()) {
            s.line(part);
        } else {
            s.pending.append(part);
            s.line(s.pending);
        }
        s.pending.clear();
        bytes.remove_prefix(end + 1);
    }
}

void LogReader::endFile() {
    State& s = *m_state;
    if (!s.pending.empty() || s.tooLong) feed("\n");
    s.trace->finish();
    s.trace = std::make_unique<TraceReader>(s.out, s.options.rank);
    s.grouper.finish();
    s.out.endFile();
    s.otherRank = false;
}

LogReport LogReader::finish() {
    endFile();
    return m_state->out.finish();
}

} // namespace divdet
