#pragma once
#include "report/json_number.h"
#include "session/determinism/run_spread.h"

namespace divdet {

/// `divdet determinism RUN1 RUN2 … --json`. `verdict`: same-bits, varies, or incomplete where nothing varies
/// but not everything could be compared.
Json toJson(const RunSpread& spread);
/// One tap; what has no value is null.
Json toJson(const TapOfRuns& tap);

std::string_view verdictOf(const RunSpread& spread);

} // namespace divdet
