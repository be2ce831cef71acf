#include "logs/parsed_records.h"
#include "logs/text_scan.h"

namespace divdet {

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
