#pragma once
#include "compare/summary.h"

namespace divdet {

/// From which magnitude on the reference holds a constant far outside its other values, such as the −10000
/// of an additive mask; infinite: it holds none. Large values of all sizes are outliers, not sentinels: they
/// are signal, and the scale of an honest quantisation follows them.
double sentinelFrom(const Summary& summary);

} // namespace divdet
