#pragma once
#include "report/json_number.h"
#include "session/sane/sane_tolerance.h"

namespace divdet {

/// The value of "sane_tolerance".
Json toJson(const SaneRuns& runs, const SaneTolerance& sane);

} // namespace divdet
