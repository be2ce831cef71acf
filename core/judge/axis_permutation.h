#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "judge/pair_evidence.h"

namespace divdet {

/// For each slice of the candidate along the axis the slice of the reference that it equals within rounding;
/// none when some slice has no partner or the order is the same. Reads every element once. Precondition: real
/// numbers without NaN.
/// `exactly`: no value was rounded on the way, which tells slices apart however coarse the dtype is.
std::optional<std::vector<std::int64_t>> axisPermutation(const PairEvidence& pair, std::size_t axis,
                                                         bool exactly);

/// Both sides hold the same bits, each as often, in any order. Reads every element once.
bool sameValues(const PairEvidence& pair);

} // namespace divdet
