#include "report/report_file.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "dump/atomic_file.h"
#include "report/junit.h"

namespace divdet {
namespace {

/// One line here gives a suffix to `--report`.
constexpr std::pair<std::string_view, ReportFormat> kSuffixes[] = {
    {".md", ReportFormat::markdown}, {".markdown", ReportFormat::markdown}, {".html", ReportFormat::html},
    {".htm", ReportFormat::html},    {".json", ReportFormat::json},         {".xml", ReportFormat::junit},
};

std::string junitOf(const Report& report) {
    std::vector<JUnitSuite> suites;
    for (const auto& s : report.subjects) suites.push_back({*s.comparison, s.judgement, 0, s.metric.limits});
    return toJUnit(suites);
}

} // namespace

Result<ReportFormat> reportFormat(const std::filesystem::path& path) {
    std::string suffix = path.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const auto& [known, format] : kSuffixes)
        if (suffix == known) return format;
    return Error{ErrorCode::usage,
                 suffix.empty() ? "the name of the report has no suffix"
                                : fmt::format("'{}' is no format of a report", suffix),
                 path.string(), "end it with .md, .html, .json or .xml"};
}

std::string renderReport(const Report& report, ReportFormat format) {
    switch (format) {
    case ReportFormat::markdown:
        return toMarkdown(report);
    case ReportFormat::html:
        return toHtml(report);
    case ReportFormat::json:
        return report.json;
    case ReportFormat::junit:
        return junitOf(report);
    }
    return {};
}

Status writeReport(const std::filesystem::path& path, const Report& report) {
    const auto format = reportFormat(path);
    if (!format) return format.error();
    AtomicFile file(path);
    Status s = file.open();
    if (s) s = file.write(std::string_view(renderReport(report, *format)));
    if (s) s = file.commit();
    return s;
}

} // namespace divdet
