#include "logs/trace_reader.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "logs/text_scan.h"

namespace divdet {
namespace {

using nlohmann::json;

/// Graphs and code are long and not needed; reasons are short.
constexpr std::size_t kLongestPayload = kLongestRecord;
constexpr std::size_t kMostNames = 100'000;

long long numberAt(const json& j, const char* key, long long otherwise) {
    const auto at = j.find(key);
    return at != j.end() && at->is_number_integer() ? at->get<long long>() : otherwise;
}

std::string textAt(const json& j, const char* key) {
    const auto at = j.find(key);
    return at != j.end() && at->is_string() ? at->get<std::string>() : std::string();
}

/// `"recompile_limit": 8` inside the text of JSON that metrics hold as a string, so with escaped quotes.
int limitIn(std::string_view metrics) {
    for (const std::string_view key : {"\\\"recompile_limit\\\": ", "\\\"cache_size_limit\\\": "})
        if (const auto at = metrics.find(key); at != std::string_view::npos) {
            std::string_view rest = metrics.substr(at + key.size());
            if (const auto n = takeNumber(rest)) return static_cast<int>(*n);
        }
    return 0;
}

/// Most of a trace is the configuration that every compile repeats as one long string; the parser need not
/// read it. `text` with its long strings emptied.
std::string withoutLongStrings(std::string_view text) {
    constexpr std::size_t kLongest = 1024;
    std::string out;
    std::size_t copied = 0;
    for (std::size_t open = text.find('"'); open != std::string_view::npos;) {
        std::size_t close = open + 1;
        while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
        if (close >= text.size()) break; // cut: the parser says so
        if (close - open > kLongest) {
            out.append(text.substr(copied, open + 1 - copied));
            copied = close;
        }
        open = text.find('"', close + 1);
    }
    return out.append(text.substr(copied));
}

/// Whether a record with this envelope says something in its payload that is read.
bool tellsInPayload(std::string_view envelope) {
    return contains(envelope, "\"dynamo_graph_break_reason\"") ||
           contains(envelope, "\"dynamo_cpp_guards_str\"") || contains(envelope, "\"dynamo_guards\"") ||
           contains(envelope, "\"recompile_reasons\"") || contains(envelope, "\"torch_version\"");
}

} // namespace

std::string TraceReader::compileId(const json& e) {
    const long long frame = numberAt(e, "frame_id", -1), compile = numberAt(e, "frame_compile_id", -1);
    if (frame < 0 || compile < 0) return {};
    const long long attempt = numberAt(e, "attempt", 0);
    std::string id = std::to_string(frame) + '/' + std::to_string(compile);
    if (attempt > 0) id += '_' + std::to_string(attempt);
    return id;
}

int TraceReader::rankOf(const json& e) {
    return static_cast<int>(std::clamp(numberAt(e, "rank", -1), -1ll, 1'000'000ll));
}

bool TraceReader::envelope(const LogLine& line) {
    if (line.prefix != LogPrefix::glog || !line.message.starts_with('{')) return false;
    finishRecord();
    m_out.sawDialect("trace");
    m_envelope = withoutLongStrings(line.message);
    // Every compile repeats the same configuration.
    if (m_limit == 0 && contains(m_envelope, "\"compilation_metrics\"")) {
        m_limit = limitIn(line.message);
        if (m_limit > 0) m_out.sawLimit(m_limit);
    }
    m_seconds = secondsOf(line.time);
    m_payload.clear();
    m_lines = 1;
    m_open = true;
    m_hasPayload = m_tooLong = false;
    m_wantsPayload = contains(m_envelope, "\"has_payload\"");
    m_keepsPayload = m_wantsPayload && tellsInPayload(m_envelope);
    if (!m_wantsPayload) finishRecord();
    return true;
}

bool TraceReader::payload(std::string_view line) {
    if (!m_open || !line.starts_with('\t')) return false;
    m_hasPayload = true;
    ++m_lines;
    if (!m_keepsPayload) return true;
    line.remove_prefix(1);
    if (m_payload.size() + line.size() > kLongestPayload)
        m_tooLong = true;
    else
        m_payload.append(line).push_back('\n');
    return true;
}

void TraceReader::finish() {
    finishRecord();
    m_gaps.finish(m_out, m_limit > 0);
}

void TraceReader::finishRecord() {
    if (!m_open) return;
    m_open = false;
    const json e = json::parse(m_envelope, nullptr, false);
    if (!e.is_object() || (m_wantsPayload && !m_hasPayload)) return m_out.note("parse-failures", true);
    const int rank = rankOf(e);
    if (m_onlyRank && rank >= 0 && rank != *m_onlyRank) {
        m_out.counts().recordLines -= m_lines; // counted as they came, before they said whose they are
        return m_out.sawOtherRanks(m_lines);
    }
    m_out.sawProcess({});
    LogLine line;
    line.rank = rank;
    m_out.sawLine(line);
    m_out.sawAttempt(rank, compileId(e));
    record(e, m_payload);
}

CodePlace TraceReader::placeOf(const json& frame) const {
    CodePlace out;
    if (!frame.is_object()) return out;
    out.function = textAt(frame, "name");
    out.line = static_cast<int>(std::clamp(numberAt(frame, "line", 0), 0ll, 1'000'000'000ll));
    out.file = textAt(frame, "filename");
    if (const auto at = m_names.find(numberAt(frame, "filename", -1)); at != m_names.end())
        out.file = at->second;
    return out;
}

void TraceReader::record(const json& e, const std::string& payload) {
    if (const auto s = e.find("str"); s != e.end() && s->is_array() && s->size() == 2 &&
                                      (*s)[0].is_string() && (*s)[1].is_number_integer() &&
                                      m_names.size() < kMostNames)
        m_names.emplace((*s)[1].get<long long>(), (*s)[0].get<std::string>());
    if (const auto s = e.find("dynamo_start"); s != e.end() && s->is_object()) start(e, *s);
    if (const auto m = e.find("compilation_metrics"); m != e.end() && m->is_object()) metrics(e, *m);
    if (e.contains("dynamo_cpp_guards_str")) guards(e, payload);
    if (e.contains("dynamo_guards")) guards(e, listedGuards(payload));
    const auto artifact = e.find("artifact");
    if (artifact == e.end() || !artifact->is_object()) return;
    const std::string name = textAt(*artifact, "name");
    if (m_tooLong) return m_out.note("long-record", true);
    if (name == "dynamo_graph_break_reason") graphBreak(e, payload);
    if (name == "recompile_reasons") recompile(e, payload);
    if (name == "torch_version")
        if (const json version = json::parse(payload, nullptr, false); version.is_object())
            if (const std::string v = textAt(version, "pytorch_version"); !v.empty())
                m_out.sawVersion(v.substr(0, 60));
}

void TraceReader::guards(const json& e, std::string_view text) {
    m_out.sawGraph(rankOf(e), compileId(e), {}, 0);
    m_out.sawGuards(rankOf(e), compileId(e), text, m_tooLong);
}

/// As TORCH_LOGS prints them. Where torch writes a tree too, it comes behind this list and takes its place.
std::string TraceReader::listedGuards(const std::string& payload) const {
    const json list = json::parse(payload, nullptr, false);
    std::string out;
    if (!list.is_array()) return out;
    for (const json& guard : list) {
        std::string code = guard.is_object() ? textAt(guard, "code") : std::string();
        if (code.empty()) continue;
        std::replace(code.begin(), code.end(), '\n', ' ');
        out += code;
        for (const char* stack : {"user_stack", "stack"}) {
            const auto at = guard.find(stack);
            if (at == guard.end() || !at->is_array() || at->empty()) continue;
            const CodePlace place = placeOf(at->back());
            out += "  # " + place.text() + (place.function.empty() ? "" : " in " + place.function);
            break;
        }
        out += '\n';
    }
    return out;
}

void TraceReader::start(const json& e, const json& start) {
    m_gaps.sawStart(rankOf(e), compileId(e), m_seconds);
    const auto stack = start.find("stack");
    if (stack == start.end() || !stack->is_array() || stack->empty()) return;
    const CodePlace place = placeOf(stack->back());
    for (const std::string_view caller : {"_dynamo/eval_frame.py", "_dynamo/convert_frame.py"})
        m_callersOnly = m_callersOnly || place.file.ends_with(caller);
    if (m_callersOnly) return;
    m_out.sawFunction(rankOf(e), compileId(e), place);
    m_gaps.sawPlace(rankOf(e), compileId(e), place);
}

void TraceReader::metrics(const json& e, const json& m) {
    const std::string id = compileId(e).empty() ? textAt(m, "compile_id") : compileId(e);
    CodePlace place;
    place.function = textAt(m, "co_name");
    place.file = textAt(m, "co_filename");
    place.line = static_cast<int>(std::clamp(numberAt(m, "co_firstlineno", 0), 0ll, 1'000'000'000ll));
    m_gaps.sawPlace(rankOf(e), id, place);
    m_out.sawGraph(rankOf(e), id, place.function, std::max(0ll, numberAt(m, "guard_count", 0)));
    const auto t = m.find("entire_frame_compile_time_s");
    if (t == m.end() || !t->is_number()) return;
    // A file may claim any number; a year of compiling is none.
    m_out.sawCompile(rankOf(e), id, place, m_seconds, std::clamp(t->get<double>(), 0.0, 3.2e7));
}

void TraceReader::graphBreak(const json& e, const std::string& payload) {
    m_gaps.sawBreak();
    LogRecord r;
    r.kind = RecordKind::graphBreak;
    r.prefix = LogPrefix::glog;
    r.rank = rankOf(e);
    r.seconds = m_seconds;
    r.compileId = compileId(e);
    std::string_view rest = payload;
    const bool whole = payload.starts_with("Graph break");
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        r.lines.push_back((!whole && r.lines.empty() ? "Graph Break Reason: " : "") + std::string(line));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (const auto stack = e.find("stack"); stack != e.end() && stack->is_array())
        for (const auto& frame : *stack) {
            const CodePlace p = placeOf(frame);
            r.lines.push_back("  File \"" + p.file + "\", line " + std::to_string(p.line) + ", in " +
                              p.function);
        }
    m_out.take(r);
}

void TraceReader::recompile(const json& e, const std::string& payload) {
    m_gaps.sawReasons(rankOf(e), compileId(e), m_seconds);
    LogRecord r;
    r.kind = RecordKind::recompile;
    r.prefix = LogPrefix::glog;
    r.rank = rankOf(e);
    r.seconds = m_seconds;
    r.compileId = compileId(e);
    const auto add = [&](std::string_view reason) {
        if (!reason.empty() && !reason.starts_with(' ')) r.lines.push_back("    - " + std::string(reason));
    };
    // One reason stands there as it is, or as a text of JSON; several are a list.
    const json told = json::parse(payload, nullptr, false);
    const auto addLines = [&](std::string_view rest) {
        while (!rest.empty()) {
            const auto end = std::min(rest.find('\n'), rest.size());
            add(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    };
    if (told.is_array()) {
        for (const auto& reason : told)
            if (reason.is_string()) add(reason.get_ref<const std::string&>());
    } else {
        addLines(told.is_string() ? told.get_ref<const std::string&>() : payload);
    }
    m_out.take(r);
}

} // namespace divdet
