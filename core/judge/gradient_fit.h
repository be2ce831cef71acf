#pragma once
#include <optional>

#include "judge/pair_evidence.h"

namespace divdet {

/// Least squares c − r ≈ −(rows·∂r/∂row + columns·∂r/∂column) over inner elements of the last two axes, with
/// central differences: a positive shift moves the data towards larger indices.
struct GradientFit {
    double rows = 0, columns = 0; ///< in elements
    double explained = 0;         ///< share of the error
};
/// None where the data is too short or not smooth: slopes of noise are noise. Reads at most the first 2^17
/// elements.
std::optional<GradientFit> gradientFit(const PairEvidence& pair);

} // namespace divdet
