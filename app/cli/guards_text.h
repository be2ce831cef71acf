#pragma once
#include <string>

#include "cli/terminal.h"
#include "logs/guard_search.h"
#include "logs/log_report.h"

namespace divdet::cli {

/// What the graphs of a log are guarded on, each line with how often it failed; graphs without a hit are left
/// out.
std::string guardsText(const LogReport& report, const GuardSearch& search, const Paint& paint);

} // namespace divdet::cli
