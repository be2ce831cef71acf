#pragma once
#include "logs/log_report.h"
#include "report/json_number.h"

namespace divdet {

/// `divdet logs --json`, as the contract of the command line has it.
Json toJson(const LogReport& report);

} // namespace divdet
