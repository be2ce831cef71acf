#include <fmt/format.h>

#include "report/escape.h"
#include "report/html_style.h"
#include "report/metric_text.h"
#include "report/report.h"
#include "report/report_text.h"
#include "report/svg/plots.h"
#include "report/version.h"

namespace divdet {
namespace {

constexpr std::size_t kPlottedPairs = 6; ///< those that need most; the table has all

std::string cell(const std::string& text, const char* style = "") {
    return fmt::format("<td{}>{}</td>", *style ? fmt::format(" class=\"{}\"", style) : "",
                       xmlText(text, 400));
}

std::string head(const std::vector<std::string>& cells) {
    std::string out = "<thead><tr>";
    for (const auto& c : cells) out += fmt::format("<th scope=\"col\">{}</th>", xmlText(c));
    return out + "</tr></thead>\n<tbody>\n";
}

/// Keys and values; the values take the room.
std::string factTable(const std::vector<std::vector<std::string>>& rows) {
    std::string out = "<div class=\"wide\"><table>\n<tbody>\n";
    for (const auto& r : rows)
        out += fmt::format("<tr><th scope=\"row\">{}</th><td style=\"width:90%\">{}</td></tr>\n",
                           xmlText(r[0]), xmlText(r[1], 1000));
    return out + "</tbody></table></div>\n";
}

std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows) {
    std::string out = "<div class=\"wide\"><table>\n" + head(heads);
    for (const auto& r : rows) {
        out += "<tr>";
        for (const auto& c : r) out += cell(c);
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

std::string pairTable(const Comparison& c, const Judgement& j) {
    std::string out = "<h3>Pairs, in depth order</h3>\n<div class=\"wide\"><table>\n" +
                      head(report::pairHead(report::anyClass(c)));
    for (const auto& r : report::pairRows(c, j)) {
        out += "<tr>";
        for (std::size_t i = 0; i < r.cells.size(); ++i) {
            const TapPair& p = c.pairs[r.pair];
            const std::string word = p.judged ? std::string(toString(j.taps[r.pair].verdict)) : "traced";
            const bool number = p.summary && i > 1 && i + 1 < r.cells.size();
            out += cell(r.cells[i], i == 1 ? ("v " + word).c_str() : number ? "n" : "");
        }
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

std::string list(const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    std::string out = fmt::format("<h3>{}</h3>\n<ul>\n", title);
    for (const auto& l : lines) out += fmt::format("<li>{}</li>\n", xmlText(l, 2000));
    return out + "</ul>\n";
}

std::string cautions(const Comparison& c, const Judgement& j) {
    std::string out;
    for (const auto& l : report::cautionLines(c, j))
        out += fmt::format("<li><b>{}</b>: {}{}</li>\n", xmlText(l.id), xmlText(l.text, 1000),
                           l.pairs.empty() ? ""
                                           : fmt::format(" <span class=\"quiet\">({})</span>",
                                                         xmlText(report::someNames(l.pairs, 6), 1000)));
    return out.empty() ? out : "<h3>Cautions</h3>\n<ul>\n" + out + "</ul>\n";
}

std::string findings(const Comparison& c) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& p : c.pairs)
        for (const auto& f : p.findings)
            rows.push_back({p.name, std::string(toString(f.kind)), f.id, f.text});
    return rows.empty() ? std::string() : "<h3>Findings</h3>\n" + table({"pair", "says", "id", "why"}, rows);
}

std::string plots(const Comparison& c, const Judgement& j) {
    const auto order = report::byNeed(c, j);
    std::string out;
    if (auto depth = svg::depthPlot(c, j))
        out += "<h3>Along depth</h3>\n<div class=\"plots\">" + *depth + "</div>\n";
    if (order.empty()) return out;
    out += "<h3>Plots of the pairs that need most</h3>\n";
    if (order.size() > kPlottedPairs)
        out += fmt::format("<p class=\"quiet\">{} of {} pairs; the table above has all.</p>\n", kPlottedPairs,
                           order.size());
    for (std::size_t i = 0; i < std::min(order.size(), kPlottedPairs); ++i) {
        const TapPair& p = c.pairs[order[i]];
        out += fmt::format("<h4>{}</h4>\n<div class=\"plots\">", xmlText(p.name));
        out += svg::frontierPlot(p, j.tolerance) + svg::densityPlot(p, j.tolerance);
        out += svg::ulpPlot(p).value_or("") + svg::tilePlot(p).value_or("") + "</div>\n";
    }
    return out;
}

std::string subject(const ReportSubject& s) {
    const Comparison& c = *s.comparison;
    const Judgement& j = s.judgement;
    std::string out = fmt::format("<section>\n<h2>{} against {}</h2>\n", xmlText(c.candidateName),
                                  xmlText(c.referenceName));
    out +=
        fmt::format("<div class=\"verdict {}\"><b>{}</b><p>{} {}</p></div>\n", toString(j.verdict),
                    xmlText(report::verdictSentence(c, j), 1000), xmlText(report::needSentence(c, j), 1000),
                    xmlText(report::toleranceSentence(j.tolerance), 1000));
    std::vector<std::vector<std::string>> facts{{"reference", c.referenceName},
                                                {"candidate", c.candidateName}};
    for (const auto& [key, value] : s.facts) facts.push_back({key, value});
    out += factTable(facts);
    if (!s.command.empty())
        out += fmt::format("<p class=\"quiet\">To repeat it:</p>\n<pre>{}</pre>\n", xmlText(s.command, 4000));
    out += pairTable(c, j) + findings(c) + cautions(c, j);
    out +=
        list("Only in the reference", c.onlyInReference) + list("Only in the candidate", c.onlyInCandidate);
    std::vector<std::string> notes = c.notes;
    notes.insert(notes.end(), s.notes.begin(), s.notes.end());
    out += list("Notes", notes);
    for (const auto& t : report::tablesOf(s)) {
        out += fmt::format("<h3>{}</h3>\n", xmlText(t.title));
        if (!t.text.empty()) out += fmt::format("<p>{}</p>\n", xmlText(t.text, 2000));
        if (!t.rows.empty()) out += table(t.head, t.rows);
    }
    for (const auto& snippet : s.snippets) {
        out += fmt::format("<p>{}</p>\n<pre>", xmlText(snippet.what, 1000));
        for (const auto& line : snippet.lines) out += xmlText(line, 4000) + "\n";
        out += "</pre>\n";
    }
    return out + plots(c, j) + "</section>\n";
}

} // namespace

std::string toHtml(const Report& report) {
    std::string title = "Comparison";
    if (!report.subjects.empty())
        title = report.subjects[0].comparison->candidateName + ": " +
                std::string(toString(report.subjects[0].judgement.verdict));
    std::string out =
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                    "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
                    "initial-scale=1\"/>\n<title>{} - Divergence Detective</title>\n<style>{}</style>\n"
                    "</head>\n<body>\n<main>\n<h1>Divergence Detective: comparison</h1>\n",
                    xmlText(title), htmlStyle());
    for (const auto& s : report.subjects) out += subject(s);
    return out +
           fmt::format("<p class=\"quiet\">Made by divdet {}.</p>\n</main>\n</body>\n</html>\n", version());
}

} // namespace divdet
