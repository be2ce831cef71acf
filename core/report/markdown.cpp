#include <fmt/format.h>

#include "report/escape.h"
#include "report/metric_text.h"
#include "report/report.h"
#include "report/report_text.h"
#include "report/version.h"

namespace divdet {
namespace {

std::string row(const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const auto& c : cells) out += " " + markdownText(c, 400) + " |";
    return out + "\n";
}

std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
    std::string out = row(head) + "|";
    for (std::size_t i = 0; i < head.size(); ++i) out += " --- |";
    out += "\n";
    for (const auto& r : rows) out += row(r);
    return out + "\n";
}

std::string list(const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    std::string out = fmt::format("### {}\n\n", title);
    for (const auto& l : lines) out += "- " + markdownText(l, 2000) + "\n";
    return out + "\n";
}

std::string findings(const Comparison& c) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& p : c.pairs)
        for (const auto& f : p.findings)
            rows.push_back({p.name, std::string(toString(f.kind)), f.id, f.text});
    if (rows.empty()) return {};
    return "### Findings\n\n" + table({"pair", "says", "id", "why"}, rows);
}

std::string cautions(const Comparison& c, const Judgement& j) {
    std::string out;
    for (const auto& l : report::cautionLines(c, j))
        out += fmt::format("- **{}**: {}{}\n", markdownText(l.id), markdownText(l.text, 1000),
                           l.pairs.empty() ? ""
                                           : " (" + markdownText(report::someNames(l.pairs, 6), 1000) + ")");
    return out.empty() ? out : "### Cautions\n\n" + out + "\n";
}

std::string subject(const ReportSubject& s) {
    const Comparison& c = *s.comparison;
    const Judgement& j = s.judgement;
    std::string out =
        fmt::format("## {} against {}\n\n", markdownText(c.candidateName), markdownText(c.referenceName));
    out += fmt::format("**{}** {} {}\n\n", markdownText(report::verdictSentence(c, j), 1000),
                       markdownText(report::needSentence(c, j), 1000),
                       markdownText(report::toleranceSentence(j.tolerance), 1000));
    std::vector<std::vector<std::string>> facts{{"reference", c.referenceName},
                                                {"candidate", c.candidateName}};
    for (const auto& [key, value] : s.facts) facts.push_back({key, value});
    out += table({"what", "value"}, facts);
    if (!s.command.empty()) out += "To repeat it: " + markdownCode(s.command) + "\n\n";
    std::vector<std::vector<std::string>> rows;
    for (auto& r : report::pairRows(c, j)) rows.push_back(std::move(r.cells));
    out += "### Pairs, in depth order\n\n" + table(report::pairHead(report::anyClass(c)), rows);
    out += findings(c) + cautions(c, j);
    out +=
        list("Only in the reference", c.onlyInReference) + list("Only in the candidate", c.onlyInCandidate);
    std::vector<std::string> notes = c.notes;
    notes.insert(notes.end(), s.notes.begin(), s.notes.end());
    out += list("Notes", notes);
    for (const auto& t : report::tablesOf(s)) {
        out += fmt::format("### {}\n\n", markdownText(t.title));
        if (!t.text.empty()) out += markdownText(t.text, 2000) + "\n\n";
        if (!t.rows.empty()) out += table(t.head, t.rows);
    }
    for (const auto& snippet : s.snippets) {
        out += markdownText(snippet.what, 1000) + "\n\n";
        for (const auto& line : snippet.lines) out += "- " + markdownCode(line) + "\n";
        out += "\n";
    }
    return out;
}

} // namespace

std::string toMarkdown(const Report& report) {
    std::string out = "# Divergence Detective: comparison\n\n";
    for (const auto& s : report.subjects) out += subject(s);
    return out + fmt::format("Made by divdet {}.\n", version());
}

} // namespace divdet
