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

/// A row times a panel in floats, for sums of positive terms: seven digits of a variance are plenty. Each row
/// and each column is divided by a power of two of its own, so nothing that counts leaves a float's range.
struct NarrowTerms {
    const float* a = nullptr; ///< null: nothing to add
    const float* panel = nullptr;
    double unit = 1;               ///< of the row
    const double* units = nullptr; ///< of the columns
};

/// Operands of one row and one panel, and what is uncertain of them: variance of a times squares of b, and
/// squares of a (with its variance) times variance of b. The tensor core's steps also take the values as
/// floats in one unit for all columns (null for other arithmetic): which products lie below a grid is no
/// question of last bits.
struct SpreadTerms {
    const double *a = nullptr, *panel = nullptr;
    NarrowTerms uncertainA, uncertainB;
    const float *narrowA = nullptr, *narrowPanel = nullptr;
    double unit = 1; ///< a power of two: what a narrow product of 1 is worth
};

/// Adds to `x`, in which `s` holds the start. A rounding to nearest spreads evenly over an ulp (variance
/// ulp²/12); truncation on the tensor core loses half of what lies below its grid in the mean. For trees the
/// chain's variance is scaled by the number of roundings on a path.
void spreadPanel(const local::SumModel& model, const SpreadTerms& terms, std::size_t k, SpreadSums& x);

} // namespace divdet::envelope
