#include <algorithm>

#include "logs/parsed_records.h"
#include "logs/text_scan.h"

namespace divdet {

ParsedReplay parseReplay(const LogRecord& record) {
    ParsedReplay out;
    if (record.lines.empty()) return out;
    const std::string_view line = record.lines.front();
    constexpr std::string_view due = "kipping cudagraphs due to ", one = "kipping cudagraph due to ";
    if (const auto sizes = between(line, "We have observed ", "."); sizes && line.starts_with("CUDAGraph")) {
        out.reason = *sizes;                                                            // 9 distinct sizes
    } else if (auto at = std::max(line.rfind(due) + 1, line.rfind(one) + 1); at != 0) { // npos + 1 is 0
        out.skipped = true;
        std::string_view reason = line.substr(line.find("due to ", at) + 7);
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
