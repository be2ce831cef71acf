#pragma once
#include "numerics/fast_maths.h"
#include "numerics/maths.h"
#include "numerics/reduction.h"

/// Softmax with a fixed association: m = the row's maximum, e_i = exp(x_i - m) rounded once after a rounded
/// difference, S = sum of e (published order: the strided tree), p_i = e_i / S.
namespace divdet::numerics {

/// One row; in place is allowed. A row of nothing but -inf (fully masked) gives zeros; a NaN or +inf makes
/// the whole row NaN. `fast`: by fastExp.
DIVDET_HD void softmaxRow(const float* x, std::size_t width, SumOrder order, float* out, bool fast = false) {
    float highest = floatFromBits(0xFF800000u);
    bool nan = false;
    for (std::size_t i = 0; i < width; ++i) {
        nan = nan || isNan(x[i]);
        if (x[i] > highest) highest = x[i];
    }
    const bool masked = !nan && bitsOf(highest) == 0xFF800000u;
    for (std::size_t i = 0; i < width; ++i) {
        const float below = addRn(x[i], -highest);
        out[i] = masked ? 0.0f : fast ? fastExp(below) : expFloat(below);
    }
    if (masked) return;
    const float sum = reduce(SumTerms{out}, width, order);
    for (std::size_t i = 0; i < width; ++i) out[i] = divRn(out[i], sum);
}

} // namespace divdet::numerics
