#pragma once
#include "numerics/fast_maths.h"
#include "numerics/reduction.h"

/// RMSNorm with a fixed association. The published order of its sum is the strided tree unless a pass says
/// otherwise: y_i = (x_i r) g_i with r = rsqrt(S / width + eps), S = sum of x^2 in fp32.
namespace divdet::numerics {

/// r: division, addition and rsqrt each rounded once; `fast`: by fastRsqrt. Precondition: width > 0.
DIVDET_HD float rmsScale(float sumOfSquares, std::size_t width, float eps, bool fast = false) {
    const float mean = addRn(divRn(sumOfSquares, static_cast<float>(width)), eps);
    return fast ? fastRsqrt(mean) : rsqrtFloat(mean);
}

DIVDET_HD float rmsElement(float x, float r, float gain) {
    return mulRn(mulRn(x, r), gain);
}

/// One row; `gain` has `width` values. In place is allowed.
DIVDET_HD void rmsNormRow(const float* x, const float* gain, float eps, std::size_t width, SumOrder order,
                          float* out, bool fast = false) {
    const float r = rmsScale(reduce(SquareTerms{x}, width, order), width, eps, fast);
    for (std::size_t i = 0; i < width; ++i) out[i] = rmsElement(x[i], r, gain[i]);
}

} // namespace divdet::numerics
