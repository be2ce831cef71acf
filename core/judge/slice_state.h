#pragma once
#include <cstdint>
#include <vector>

#include "judge/noise.h"

namespace divdet {

/// What a slice along an axis is: within noise, surely wrong, or neither.
enum class SliceState : std::uint8_t { clean, between, bad, empty };

/// Absolute errors that tell them apart. 0 for pairs that are not floating: there any difference is wrong.
struct ErrorLimits {
    double wrong = 0; ///< above: wrong, wherever it is
    double clean = 0; ///< up to here: noise
};
ErrorLimits errorLimits(const PairEvidence& pair);

/// One state per index along the axis, from the sample.
std::vector<SliceState> sliceStates(const PairEvidence& pair, std::size_t axis);

/// Some slice of some axis, or the whole, has an error above this share of its largest reference value: a
/// cheap condition for causes that move values by that much.
bool anySliceOff(const PairEvidence& pair, double share);

/// Largest error over the sample, whatever is not finite on one side only counted as infinite.
double errorAt(const PairSample& sample, std::size_t i);

} // namespace divdet
