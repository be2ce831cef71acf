#pragma once
#include "logs/guard_search.h"
#include "logs/log_changes.h"
#include "logs/log_report.h"
#include "report/json_number.h"

namespace divdet {

/// `divdet logs --json`, as the contract of the command line has it. The log from before a fix and what
/// changed since stand under `changes`, which is null where both are. Each graph has its guards, those that
/// `guards` asks for, where it is not null.
Json logsJson(const LogReport& report, const LogReport* before = nullptr, const LogChanges* changes = nullptr,
              const GuardSearch* guards = nullptr);

} // namespace divdet
