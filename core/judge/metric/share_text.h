#pragma once
#include <cstdint>
#include <string>

#include "judge/metric/estimate.h"

namespace divdet {

/// `73.44 %`: with as many digits as make one token among n visible.
std::string percentText(double share, std::int64_t n);

/// `-0.20 ± 0.15 points` of a change of a share; without ± where there is no standard error.
std::string pointsText(const Estimate& change, std::int64_t n);

/// `0.0123 ± 4.5e-3`; without ± where there is no standard error.
std::string estimateText(const Estimate& e);

/// At most three significant digits, never above x: a bound that stays one when it is typed back.
std::string textNotAbove(double x);

} // namespace divdet
