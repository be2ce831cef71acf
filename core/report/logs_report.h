#pragma once
#include <string>
#include <vector>

#include "logs/log_changes.h"
#include "logs/log_report.h"
#include "report/report.h"

namespace divdet {

/// What a report of a log says, in order; unescaped. `changes` is null where one log was read.
struct LogsDocument {
    std::string verdict;  ///< storm or clean
    std::string sentence; ///< the counts
    std::vector<ReportTable> tables;
    std::vector<std::string> notes;
};
LogsDocument logsDocument(const LogReport& report, const LogChanges* changes);

/// `3 recompiles for 1 root cause, 2 graph breaks at 1 place`
std::string logsSentence(const LogReport& report);

/// What a key of LogReport::notes means.
std::string noteText(std::string_view key);

/// GitHub Markdown; nothing that a log says is markup in it.
std::string logsMarkdown(const LogReport& report, const LogChanges* changes = nullptr);

/// One self-contained page, also well-formed XML: no script, nothing from elsewhere, light and dark.
std::string logsHtml(const LogReport& report, const LogChanges* changes = nullptr);

} // namespace divdet
