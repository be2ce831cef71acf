#include "logs/parsed_records.h"
#include "logs/text_scan.h"

namespace divdet {

bool isGuard(std::string_view line) {
    std::string_view text = trimmed(line);
    const bool tree = text.starts_with("+- ") || text.starts_with("| ");
    if (!tree)
        return !text.empty() && !text.starts_with("GUARDS:") && !text.starts_with("TREE_GUARD_MANAGER") &&
               !text.starts_with("Guard ");
    while (text.starts_with("| ")) text.remove_prefix(2);
    if (!text.starts_with("+- ")) return false;
    text.remove_prefix(3);
    const auto colon = text.find(": ");
    // Inner nodes are managers and accessors; leaves are named in capitals.
    return colon != std::string_view::npos && contains(text.substr(0, colon), "_");
}

ParsedReplay parseReplay(const LogRecord& record) {
    ParsedReplay out;
    if (record.lines.empty()) return out;
    const std::string_view line = record.lines.front();
    constexpr std::string_view due = "kipping cudagraphs due to ";
    if (auto at = line.rfind(due); at != std::string_view::npos) {
        out.skipped = true;
        std::string_view reason = line.substr(at + due.size());
        reason = reason.substr(0, reason.find(". Found from"));
        out.reason = trimmed(reason);
    } else if (at = line.find("reason="); at != std::string_view::npos) {
        out.reason = trimmed(line.substr(at + 7));
    } else {
        out.reason = trimmed(line);
    }
    return out;
}

} // namespace divdet
