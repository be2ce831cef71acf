#pragma once
#include <cstddef>

#include "judge/local/ordered_sums.h"
#include "judge/local/sum_panel.h"

namespace divdet::envelope {

/// A sum of products as the declared arithmetic makes it, for kWidth columns: its mean and its variance.
struct SpreadSums {
    alignas(64) double s[local::kWidth];        ///< the sum itself, in double
    alignas(64) double variance[local::kWidth]; ///< of operands and of roundings on the way
    alignas(64) double lost[local::kWidth];     ///< mean of what truncation takes away, towards zero
};

/// Operands of one row and one panel: values and variances; a null variance is zero.
struct SpreadTerms {
    const double *a, *aVariance;
    const double *panel, *panelVariance;
};

/// Adds to `x`, in which `s` holds the start. A rounding to nearest spreads evenly over an ulp (variance
/// ulp²/12); truncation on the tensor core loses half of what lies below its grid in the mean. For trees the
/// chain's variance is scaled by the number of roundings on a path.
void spreadPanel(const local::SumModel& model, const SpreadTerms& terms, std::size_t k, SpreadSums& x);

} // namespace divdet::envelope
