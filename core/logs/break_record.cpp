#include <algorithm>
#include <utility>

#include "logs/parsed_records.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

/// Longer texts say nothing more about the kind.
constexpr std::size_t kMostTold = 16384;
constexpr std::size_t kMostCode = 300;

/// torch's own reason sits behind these sentences, on the next line that is not empty.
bool isWrapping(std::string_view reason) {
    return reason.starts_with("Encountered graph break") ||
           reason.starts_with("Failed to handle graph break");
}

struct Frames {
    std::optional<CodePlace> user, any;
    std::string code; ///< of `user`
    bool codeNext = false;
    void add(const CodePlace& frame) {
        any = frame;
        codeNext = !isFramework(frame.file);
        if (!codeNext) return;
        user = frame;
        code.clear();
    }
    /// A line behind a frame: its code, if it is indented deeper than the frame.
    void addCode(std::string_view line, std::string_view text) {
        if (std::exchange(codeNext, false) && line.starts_with("    ")) code = text.substr(0, kMostCode);
    }
};

/// GraphCompileReason(reason='…', user_stack=[<FrameSummary …>, …], graph_break=True)
void parseCompileReason(std::string_view line, ParsedBreak& out, Frames& frames) {
    const char quote = contains(line, "reason=\"") ? '"' : '\'';
    const auto from = line.find("reason=");
    auto to = line.find(", user_stack=[", from);
    if (from == std::string_view::npos) return;
    if (to == std::string_view::npos) to = line.size();
    std::string_view reason = line.substr(from + 7, to - from - 7);
    if (reason.starts_with(quote)) reason.remove_prefix(1);
    if (reason.ends_with(quote)) reason.remove_suffix(1);
    out.reason = reason;
    for (auto at = line.find("<FrameSummary", to); at != std::string_view::npos;) {
        const auto next = line.find("<FrameSummary", at + 1);
        // Each is looked through up to the next one, so that a line of nothing but beginnings takes one pass.
        const std::string_view one = line.substr(at, next == std::string_view::npos ? next : next - at);
        const auto end = std::min(one.find(">,"), one.find(">]")); // <module> ends in > too
        if (const auto frame = parseFrame(one.substr(0, end == std::string_view::npos ? end : end + 1)))
            frames.add(*frame);
        at = next;
    }
}

/// Graph break: REASON from user code at:
void parseOldHead(std::string_view line, ParsedBreak& out) {
    std::string_view reason = line.substr(12);
    reason = reason.substr(0, reason.find("from user code at"));
    reason = trimmed(reason);
    // The second from 2.10 on.
    out.frameSkipped = reason == "skip:" || reason.starts_with("torch.compile cannot properly resume");
    out.reason = reason;
}

/// The text goes on with what else such a thing may be: that says nothing about this break.
void told(ParsedBreak& out, std::string_view line) {
    for (const std::string_view tail : {" This function is either", " (e.g. "})
        line = line.substr(0, line.find(tail));
    if (out.told.size() < kMostTold) out.told.append(line.substr(0, kMostTold)).append("\n");
}

} // namespace

ParsedBreak parseBreak(const LogRecord& record) {
    ParsedBreak out;
    Frames frames;
    std::optional<CodePlace> head;
    std::string_view raised;
    bool reasonNext = false, pythonStack = false;
    for (const std::string& line : record.lines) {
        const std::string_view text = trimmed(line);
        if (!text.starts_with("File \"")) frames.addCode(line, text);
        if (line.starts_with("GraphCompileReason(")) {
            parseCompileReason(line, out, frames);
        } else if (const auto where = line.find("BREAK in ");
                   where != std::string::npos && record.prefix == LogPrefix::lesson) {
            const std::string_view rest = std::string_view(line).substr(where + 9);
            if (const auto at = rest.find(" at "); at != std::string_view::npos)
                head = parsePlace(rest.substr(at + 4));
            if (head) head->function = rest.substr(0, rest.find("()"));
            out.reason = "BREAK";
        } else if (line.starts_with("Graph break") && contains(line, "in user code at ")) {
            out.suppressed = line.starts_with("Graph break (");
            head = parsePlace(std::string_view(line).substr(line.find("in user code at ") + 16));
        } else if (line.starts_with("Graph break: ")) {
            parseOldHead(line, out);
            // torch 2.0 prints the outermost frame on the same line.
            if (const auto at = line.find("from user code at"); at != std::string::npos)
                if (const auto file = line.find("File \"", at); file != std::string::npos)
                    if (const auto frame = parseFrame(std::string_view(line).substr(file)))
                        frames.add(*frame);
        } else if (text.starts_with("Graph Break Reason:") || text.starts_with("Reason:")) {
            out.reason = trimmed(text.substr(text.find(':') + 1));
            reasonNext = isWrapping(out.reason);
        } else if (line.starts_with("Traceback (most recent")) {
            pythonStack = true;
        } else if (const auto at = line.find("exc.Unsupported: "); at != std::string::npos) {
            if (out.reason.empty()) out.reason = line.substr(at + 17);
        } else if (const auto message = pythonStack ? raisedBy(line) : std::nullopt) {
            raised = *message; // the last of a chain
        } else if (reasonNext && !text.empty()) {
            out.reason = text;
            reasonNext = false;
        } else if (text.starts_with("File \"")) {
            // Frames of the Python stack are torch's own work on the user's line, not the user's.
            if (const auto frame = parseFrame(text); frame && !pythonStack) frames.add(*frame);
        } else if (text.starts_with("Explanation:") || text.starts_with("Developer debug context:")) {
            told(out, text);
        }
    }
    if (out.reason.empty()) out.reason = raised;
    told(out, out.reason);
    if (head && !isFramework(head->file)) {
        out.place = *head;
        if (frames.user && frames.user->line == head->line) out.place.function = frames.user->function;
    } else if (frames.user) {
        out.place = *frames.user;
    } else {
        if (frames.any || head) out.place = head ? *head : *frames.any;
        out.inFramework = frames.any || head;
    }
    if (frames.user && frames.user->line == out.place.line && frames.user->file == out.place.file)
        out.code = frames.code;
    return out;
}

} // namespace divdet
