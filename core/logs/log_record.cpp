#include "logs/log_record.h"

#include <algorithm>
#include <array>

#include "logs/guard_reason.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

/// What error_on_recompile raises: the words of the record.
constexpr std::string_view kRecompileError = "torch._dynamo.exc.RecompileError: Recompiling function ";

bool startsWithOneOf(std::string_view s, std::initializer_list<std::string_view> starts) {
    return std::any_of(starts.begin(), starts.end(), [&](std::string_view x) { return s.starts_with(x); });
}

/// What these artifacts log begins with its own words; elsewhere other words may stand in front.
bool speaksOnlyAtTheStart(std::string_view artifact) {
    return artifact == "recompiles" || artifact == "recompiles_verbose" || artifact == "guards";
}

/// `containsAt` is `contains`, looking for the letter at `rare` first: most lines do not have it.
bool containsAt(std::string_view s, std::string_view needle, std::size_t rare) {
    for (auto at = s.find(needle[rare]); at != std::string_view::npos; at = s.find(needle[rare], at + 1))
        if (at >= rare && s.substr(at - rare).starts_with(needle)) return true;
    return false;
}

/// The start of a reason that names its graph, 0/3: as programs do not start their own lists.
bool namesGraph(std::string_view text) {
    const auto end = text.find_first_not_of("0123456789/_!-");
    return end != std::string_view::npos && end > 2 && text.substr(end).starts_with(": ") &&
           contains(text.substr(0, end), "/");
}

/// A bullet of the user's stack, which stands below a reason from 2.12 on: indented once more than reasons.
bool isStackBullet(const LogRecord& record, std::string_view bullet) {
    if (!bullet.starts_with(' ') || record.lines.empty()) return false;
    const std::string_view before = trimmed(record.lines.back());
    return before.starts_with("- User stack trace") || before.starts_with("-   ");
}

/// A bullet under a recompile that is a reason: programs print lists of their own.
bool isReason(std::string_view text) {
    if (namesGraph(text) || contains(text, "___")) return true; // what torch calls in its guards
    if (text.starts_with("Unable to find") || text.starts_with("Unexpected recompilation") ||
        text.starts_with("User stack trace") || contains(text, "TORCH_COMPILE_DYNAMIC_SOURCES"))
        return true;
    const GuardReason reason = parseGuardReason(text);
    return reason.cause != Cause::unknown || !reason.values.empty();
}

RecordKind openedInside(std::string_view start) {
    if (containsAt(start.substr(0, 200), "torch._dynamo hit config.", 6)) return RecordKind::limit;
    if (containsAt(start, "e-recording function=", 20) ||
        (containsAt(start, "kipping cudagraph", 12) && contains(start, " due to ")) ||
        start.starts_with("CUDAGraph supports dynamic shapes by recording"))
        return RecordKind::replay;
    if (containsAt(start, "BREAK in ", 4)) return RecordKind::graphBreak;
    if (containsAt(start, "()", 0) && contains(start, "recompiling ")) return RecordKind::recompile;
    return RecordKind::other;
}

bool acceptsLimit(const LogRecord& record, std::string_view message) {
    const std::string_view text = trimmed(message);
    if (startsWithOneOf(text, {"To log all", "To diagnose", "to diagnose"})) return true;
    if (record.limitEnded) return false;
    // A pasted record is wrapped anywhere, so any line may be part of it, but not many.
    return text.empty() || record.lines.size() < 12;
}

/// Whether the last lines are frames of a traceback whose exception is still to come.
bool endsInTraceback(const LogRecord& record) {
    constexpr std::ptrdiff_t kDeepest = 400; // lines: looking further would let a hostile log take its square
    const auto from = record.lines.end() - std::min(kDeepest, std::ssize(record.lines));
    for (auto at = record.lines.end(); at != from;) {
        --at;
        if (at->starts_with("Traceback (most recent")) return true;
        if (!at->starts_with("  ")) return false;
    }
    return false;
}

bool acceptsBreak(const LogRecord& record, std::string_view message) {
    if (trimmed(message).empty()) return true;
    if (startsWithOneOf(message, {"Graph Break Reason:",
                                  "Reason:",
                                  "  Explanation:",
                                  "  Hint:",
                                  "  Developer debug context:",
                                  " For more details",
                                  "User code traceback:",
                                  "User code traceback",
                                  "  File \"",
                                  "    ",
                                  "Traceback (most recent",
                                  "torch._dynamo.exc",
                                  "*** While handling",
                                  "  Higher Order Operator:",
                                  "Graph break under ",
                                  "During handling of the above",
                                  "The above exception was",
                                  "graph break in loop",
                                  "Stack variable source",
                                  "from user code:",
                                  "   File \"",
                                  "Set TORCHDYNAMO_VERBOSE",
                                  "Set TORCH_LOGS",
                                  "You can suppress"}))
        return true;
    if (raisedBy(message) && endsInTraceback(record)) return true;
    if (record.lastText == 0) return false;
    const std::string& last = record.lines[record.lastText - 1];
    return contains(last, "Encountered graph break") || contains(last, "Failed to handle graph break") ||
           last.starts_with("*** While handling");
}

} // namespace

RecordKind openedBy(std::string_view m, std::string_view artifact) {
    if (startsWithOneOf(m, {"Recompiling function ", "('Recompiling function ", "(\"Recompiling function ",
                            kRecompileError}))
        return RecordKind::recompile;
    if (m.starts_with("Graph break from `Tensor.item")) return RecordKind::itemWarning;
    if (startsWithOneOf(
            m, {"Graph break in user code at", "Graph break (", "Graph break: ", "GraphCompileReason("}))
        return RecordKind::graphBreak;
    if (m.starts_with("GUARDS:")) return RecordKind::guards;
    return speaksOnlyAtTheStart(artifact) ? RecordKind::other : openedInside(m.substr(0, 400));
}

RecordKind continues(std::string_view m) {
    const std::string_view text = trimmed(m);
    if (startsWithOneOf(text, {"function: '", "last reason: "})) return RecordKind::limit;
    if (startsWithOneOf(text, {"triggered by the following guard", "guard failed:"}))
        return RecordKind::recompile;
    if (startsWithOneOf(m, {"Graph Break Reason:", "User code traceback:"})) return RecordKind::graphBreak;
    return RecordKind::other;
}

bool repeats(const LogRecord& record, std::string_view message) {
    return message.starts_with(kRecompileError) && !record.lines.empty() &&
           message.substr(message.find(": ") + 2) == record.lines.front();
}

bool acceptsBare(const LogRecord& record, std::string_view message) {
    switch (record.kind) {
    case RecordKind::limit:
        return acceptsLimit(record, message);
    case RecordKind::graphBreak:
        if (!record.lines.empty() && record.lines.front().starts_with("GraphCompileReason(")) return false;
        return acceptsBreak(record, message);
    case RecordKind::itemWarning:
        return message.starts_with("Graph break: from user code at:") || message.starts_with("or:") ||
               message.starts_with("to include these operations") || acceptsBreak(record, message);
    case RecordKind::recompile:
        if (const std::string_view bullet = trimmed(message); bullet.starts_with("- "))
            return isReason(bullet.substr(2)) || isStackBullet(record, bullet.substr(2));
        return trimmed(message).empty() || continues(message) == RecordKind::recompile ||
               message.starts_with("    ");
    case RecordKind::guards:
        return trimmed(message).empty() || message.starts_with("+- ") || message.starts_with("| ") ||
               message.starts_with("TREE_GUARD_MANAGER") || message.starts_with("Guard ");
    case RecordKind::replay:
        return message.starts_with("   File \"") || message.starts_with("    ") ||
               message.starts_with("input name:");
    case RecordKind::other:
        break;
    }
    return false;
}

} // namespace divdet
