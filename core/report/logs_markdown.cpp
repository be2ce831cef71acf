#include "report/escape.h"
#include "report/logs_report.h"
#include "report/version.h"

namespace divdet {
namespace {

constexpr std::size_t kLongestCell = 400, kLongestLine = 2000;

std::string row(const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const auto& c : cells) out += ' ' + markdownText(c, kLongestCell) + " |";
    return out + '\n';
}

} // namespace

std::string logsMarkdown(const LogReport& report, const LogChanges* changes) {
    const LogsDocument d = logsDocument(report, changes);
    std::string out = "# torch.compile log\n\n**" + d.verdict + "** " + markdownText(d.sentence) + "\n\n";
    for (const auto& t : d.tables) {
        out += "## " + markdownText(t.title) + "\n\n";
        if (!t.text.empty()) out += markdownText(t.text, kLongestLine) + "\n\n";
        if (t.rows.empty()) continue;
        out += row(t.head) + '|';
        for (std::size_t i = 0; i < t.head.size(); ++i) out += " --- |";
        out += '\n';
        for (const auto& r : t.rows) out += row(r);
        out += '\n';
    }
    out += "## Notes\n\n";
    for (const auto& n : d.notes) out += "- " + markdownText(n, kLongestLine) + '\n';
    return out + "\nMade by divdet " + std::string(version()) + ".\n";
}

} // namespace divdet
