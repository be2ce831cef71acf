#pragma once
#include <string>

#include "cli/terminal.h"
#include "logs/guard_search.h"
#include "logs/log_changes.h"
#include "logs/log_report.h"

namespace divdet::cli {

/// A log for people. `changes` is null where one log was read, `guards` where none are asked for.
std::string logText(const LogReport& report, const LogChanges* changes, const GuardSearch* guards,
                    bool showUnparsed, const Paint& paint);

} // namespace divdet::cli
