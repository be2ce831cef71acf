#pragma once
#include <optional>

#include "judge/pair_evidence.h"

namespace divdet {

/// Errors of a product against the size of what it sums, over the sample. The scale of y[i, j] is
/// ‖a[i]‖·‖b[j]‖, which Σ|a||b| does not exceed (Cauchy and Schwarz), so that results in which terms cancel
/// are judged by their terms.
struct DotScale {
    std::int64_t k = 0; ///< terms of a sum
    double largest = 0; ///< of |c − r|/scale
    double rms = 0;     ///< of the same
    double result = 0;  ///< largest |r|/scale: what storing the result may add is relative to it
};
/// None unless the operator is a product (or unnamed) whose operands are among the inputs.
std::optional<DotScale> dotScale(const PairEvidence& pair);

} // namespace divdet
