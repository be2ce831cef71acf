#pragma once
#include <filesystem>
#include <string>

#include "base/result.h"
#include "report/report.h"

namespace divdet {

enum class ReportFormat { markdown, html, json, junit };

/// By the suffix: .md or .markdown, .html or .htm, .json, .xml (JUnit). Errors: usage, with the suffixes
/// named.
Result<ReportFormat> reportFormat(const std::filesystem::path& path);

std::string renderReport(const Report& report, ReportFormat format);

/// In the format of the suffix, whole or not at all.
Status writeReport(const std::filesystem::path& path, const Report& report);

} // namespace divdet
