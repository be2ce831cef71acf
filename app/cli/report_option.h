#pragma once
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "report/report.h"

namespace divdet::cli {

/// `--report FILE`, as often as wanted; the suffix names the format.
void addReport(CLI::App& verb, std::vector<std::string>& paths);

/// Before the work starts: every suffix is one that can be written.
Status checkReports(const std::vector<std::string>& paths);

/// False after an error was printed.
bool writeReports(const std::vector<std::string>& paths, const Report& report);

} // namespace divdet::cli
