#include <algorithm>

#include <fmt/format.h>

#include "report/escape.h"
#include "report/html_style.h"
#include "report/logs_report.h"
#include "report/version.h"

namespace divdet {
namespace {

constexpr std::size_t kLongestCell = 400, kLongestLine = 2000;

std::string table(const ReportTable& t) {
    std::string out = fmt::format("<h3>{}</h3>\n", xmlText(t.title));
    if (!t.text.empty()) out += fmt::format("<p>{}</p>\n", xmlText(t.text, kLongestLine));
    if (t.rows.empty()) return out;
    out += "<div class=\"wide\"><table>\n<thead><tr>";
    for (const auto& h : t.head) out += fmt::format("<th scope=\"col\">{}</th>", xmlText(h));
    out += "</tr></thead>\n<tbody>\n";
    for (const auto& row : t.rows) {
        out += "<tr>";
        for (const auto& cell : row) out += fmt::format("<td>{}</td>", xmlText(cell, kLongestCell));
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

/// Events along time, a row per kind; a compile is as wide as it took.
std::string timeline(const LogReport& r) {
    if (r.timeline.size() < 2) return {};
    double end = 0;
    for (const auto& e : r.timeline) end = std::max(end, e.at + e.lost.value_or(0));
    if (!(end > 0)) return {};
    constexpr double left = 90, width = 790;
    std::string out =
        "<h3>Along time</h3>\n<div class=\"plots\"><svg viewBox=\"0 0 900 128\" width=\"900\" "
        "height=\"128\" role=\"img\"><title>Compiles, recompiles, graph breaks and limits along "
        "time</title>\n";
    for (int kind = 0; kind < 4; ++kind)
        out += fmt::format("<text x=\"8\" y=\"{}\">{}</text>\n", 24 + 24 * kind,
                           toString(static_cast<LogEvent::Kind>(kind)));
    for (const auto& e : r.timeline)
        out +=
            fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"14\"/>\n",
                        e.kind == LogEvent::Kind::limit ? "broken" : "bar", left + width * e.at / end,
                        13 + 24 * static_cast<int>(e.kind), std::max(1.5, width * e.lost.value_or(0) / end));
    return out +
           fmt::format("<text class=\"tick\" x=\"{}\" y=\"120\">0 s</text>\n<text class=\"tick\" x=\"{}\" "
                       "y=\"120\" text-anchor=\"end\">{:.3g} s</text>\n</svg></div>\n",
                       left, left + width, end);
}

} // namespace

std::string logsHtml(const LogReport& report, const LogChanges* changes) {
    const LogsDocument d = logsDocument(report, changes);
    std::string out =
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                    "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
                    "initial-scale=1\"/>\n<title>{} - Divergence Detective</title>\n<style>{}</style>\n"
                    "</head>\n<body>\n<main>\n<h1>Divergence Detective: torch.compile log</h1>\n<section>\n",
                    xmlText(d.verdict), htmlStyle());
    out += fmt::format("<div class=\"verdict {}\"><b>{}</b><p>{}</p></div>\n",
                       report.storm ? "outside" : "within", xmlText(d.verdict), xmlText(d.sentence));
    for (const auto& t : d.tables) out += table(t);
    out += timeline(report) + "<h3>Notes</h3>\n<ul>\n";
    for (const auto& n : d.notes) out += fmt::format("<li>{}</li>\n", xmlText(n, kLongestLine));
    return out +
           fmt::format("</ul>\n</section>\n<p class=\"quiet\">Made by divdet {}.</p>\n</main>\n</body>\n"
                       "</html>\n",
                       version());
}

} // namespace divdet
