#pragma once
#include "judge/pair_evidence.h"

namespace divdet {

/// How much error honest arithmetic makes, as rms(c − r) / rms(r). Formulas: judge/noise.cpp.
struct NoiseModel {
    double unit = 0;    ///< half an ulp of 1 of the coarser of both dtypes and the declared storage
    double working = 0; ///< roundings of the working precision alone: inner ones and those of sums
    double honest = 0;  ///< the same with the declared lossy steps
    double bad = 0;     ///< no honest step comes near: what lies above is an error with a cause
};
/// All 0 for pairs that are not floating: integers are exact.
NoiseModel noiseModel(const PairEvidence& pair);

/// rms(c − r)/rms(r) of noise that rounding to bf16, at about every step, would make: the most that is taken
/// for a lossy step that nobody declared.
inline constexpr double kUndeclared = 4 * 0x1p-8;

/// Nothing is there for a cause that would be a bug: every element is within some ulps of the working type
/// (8-bit integers: within one step).
bool quiet(const PairEvidence& pair);

/// Typical size of the reference: median over the slices of its longest axis of their rms; one outlier
/// channel or a mask of −10000 does not hide the rest. 0 when most of it is zero.
double typicalSize(const PairSample& sample);

} // namespace divdet
