#pragma once
#include <string_view>

#include "logs/log_collector.h"

namespace divdet {

/// Text that tlparse prints or users paste from its report: rows `| 0/1 | kind | reason | place |` and the
/// line `Stats { ok: 13, other_rank: 40, … }`. True: the line is one of them.
bool readSummaryLine(std::string_view line, LogCollector& out);

} // namespace divdet
