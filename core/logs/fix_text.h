#pragma once
#include <string>
#include <string_view>

#include "logs/break_kinds.h"
#include "logs/log_report.h"

namespace divdet {

/// The cure in words, with the user's own names, dims and values. Both are one line.
std::string causeFixText(const RecompileCause& cause);
std::string breakFixText(const BreakKind& kind, std::string_view site, bool inFramework);

/// `3, 4, 5 … 14 (12 values)`; `nothing` where none is known.
std::string valuesText(const std::vector<std::string>& values);

} // namespace divdet
