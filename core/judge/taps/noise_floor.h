#pragma once
#include <cstdint>

#include "judge/declared.h"
#include "judge/taps/tap_facts.h"

namespace divdet {

/// What is known of how the two runs compute.
struct TapContext {
    Declared candidate, reference; ///< lossy steps of each side
    std::int64_t k = 4096;         ///< longest sum in an operator
};

/// Error relative to rms(r) that one operator of honest runs may add to a tap: from the coarser dtype, the
/// length of its sums, and the declared lossy steps of both sides.
double noiseFloor(const TapFacts& facts, const TapContext& context);

/// The part of it that an operator makes of its operands' rounding to floating types. Integer steps are not
/// in it: quantising what a mean is then taken from is no honest step.
double roundingFloor(const TapFacts& facts, const TapContext& context);

/// rms of the distance in ulps of the row's rms that fresh rounding may leave when everything an operator
/// read was equal: roundings of at most half an ulp, at random, at 24 inner steps and along the sum.
double freshUlps(const TapFacts& facts, const TapContext& context);

} // namespace divdet
