#pragma once
#include "numerics/fast_maths.h"
#include "numerics/reduction.h"
#include "numerics/variance.h"

/// Norms with a fixed association. The published order of their sums is the strided tree unless a pass says
/// otherwise.
///   RMSNorm    y_i = (x_i r) g_i with r = rsqrt(S / width + eps), S = sum of x^2 in fp32.
///   LayerNorm  two passes: m = (sum of x) / width, S = sum of (x - m)^2, r as above, and
///              y_i = fma((x_i - m) r, g_i, b_i). In one pass m and the variance are those of variance.h, and
///              r = rsqrt(variance + eps).
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

/// Terms (x_k - mean)^2; the difference is rounded once.
struct CentredSquareTerms {
    const float* x;
    float mean;
    DIVDET_HD float centred(std::size_t k) const { return addRn(x[k], -mean); }
    DIVDET_HD float add(std::size_t k, float acc) const { return fmaRn(centred(k), centred(k), acc); }
    DIVDET_HD float leaf(std::size_t k) const { return mulRn(centred(k), centred(k)); }
};

DIVDET_HD float layerElement(float x, float mean, float r, float gain, float bias) {
    return fmaRn(mulRn(addRn(x, -mean), r), gain, bias);
}

/// One row; a null bias is +0 everywhere. In place is allowed. Precondition: width > 0.
DIVDET_HD void layerNormRow(const float* x, const float* gain, const float* bias, float eps,
                            std::size_t width, SumOrder order, float* out, bool fast = false) {
    const float mean = divRn(reduce(SumTerms{x}, width, order), static_cast<float>(width));
    const float r = rmsScale(reduce(CentredSquareTerms{x, mean}, width, order), width, eps, fast);
    for (std::size_t i = 0; i < width; ++i)
        out[i] = layerElement(x[i], mean, r, gain[i], bias ? bias[i] : 0.0f);
}

/// layerNormRow with the moments of one pass: NaN where the variance comes out below -eps.
DIVDET_HD void layerNormOnePassRow(const float* x, const float* gain, const float* bias, float eps,
                                   std::size_t width, SumOrder order, float* out, bool fast = false) {
    const Moments m = onePassMoments(x, width, order);
    const float v = addRn(m.variance, eps);
    const float r = fast ? fastRsqrt(v) : rsqrtFloat(v);
    for (std::size_t i = 0; i < width; ++i)
        out[i] = layerElement(x[i], m.mean, r, gain[i], bias ? bias[i] : 0.0f);
}

} // namespace divdet::numerics
