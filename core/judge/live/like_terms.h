#pragma once
#include <cstdint>
#include <span>

#include "judge/local/residual.h"

namespace divdet {

/// Whether most of these outputs (flat indices) of op number `op` are sums whose terms take few values. Their
/// roundings repeat instead of cancelling, so a bound that takes them for random does not hold. Operands that
/// were not recorded are computed; where even that cannot be done the answer is yes: it is not ruled out.
bool termsAreAlike(const local::RecordedRun& run, std::size_t op, std::span<const std::int64_t> outputs);

} // namespace divdet
