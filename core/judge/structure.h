#pragma once
#include "judge/noise.h"

namespace divdet {

/// No slice of any axis is off more than six times what the median slice is, both in absolute and in relative
/// error, and none is above noise where most are exact. Slices of fewer than 8 elements are not looked at.
bool evenOverSlices(const PairEvidence& pair);

/// No single element is far beyond the others: none is off by more than twelve times the spread of the errors
/// in absolute error, in relative error, and relative to the size of its slices at once.
bool noOutliers(const PairEvidence& pair);

/// The errors look drawn at random: dense, no direction, not alike along every axis, no function of the
/// input.
bool looksRandom(const PairEvidence& pair);

} // namespace divdet
