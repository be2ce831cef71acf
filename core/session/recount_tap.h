#pragma once
#include "base/progress.h"
#include "compare/comparison.h"
#include "compare/scan.h"

namespace divdet {

/// Exact mismatches and worst element of one pair at another tolerance: reads the elements. Under a rule over
/// the whole tensor all elements count as mismatches when its statistic fails.
Result<AtTolerance> recountTap(const TapPair& pair, const Tolerance& tolerance,
                               const Progress& progress = {});

} // namespace divdet
