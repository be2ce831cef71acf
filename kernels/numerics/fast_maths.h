#pragma once
#include "numerics/maths.h"

/// Approximations in plain fp32, the kind that a fast-math build calls: exp, tanh and rsqrt within 2 ulp of
/// the true value, everywhere. They are our own, the same bits on every machine, and stand for no particular
/// device: a GPU's approximate units have no published bit model.
namespace divdet::numerics {

/// e^x. Cody and Waite's reduction and a Taylor polynomial, each step one fp32 fma.
DIVDET_HD float fastExp(float x) {
    if (isNan(x)) return x;
    if (x > 89.0f) return floatFromBits(0x7F800000u);
    if (x < -104.0f) return 0.0f;
    const float shifted = fmaRn(x, 0x1.715476p0f, 0x1.8p23f); // rint(x log2 e) in the low bits
    const float n = addRn(shifted, -0x1.8p23f);
    float r = fmaRn(-n, 0x1.62e4p-1f, x); // few bits, so that n times it is exact
    r = fmaRn(-n, 0x1.7f7d1cp-20f, r);
    float p = 0x1.a01a02p-13f; // 1/7!
    p = fmaRn(p, r, 0x1.6c16c2p-10f);
    p = fmaRn(p, r, 0x1.111112p-7f);
    p = fmaRn(p, r, 0x1.555556p-5f);
    p = fmaRn(p, r, 0x1.555556p-3f);
    p = fmaRn(p, r, 0.5f);
    p = addRn(fmaRn(mulRn(r, r), p, r), 1.0f);
    const int k = static_cast<int>(n),
              half = k / 2; // two factors, because 2^k itself may not be a normal number
    const float low = floatFromBits(static_cast<std::uint32_t>(half + 127) << 23);
    const float high = floatFromBits(static_cast<std::uint32_t>(k - half + 127) << 23);
    return mulRn(mulRn(p, low), high);
}

DIVDET_HD float fastTanh(float x) {
    if (isNan(x)) return x;
    const float a = isNegative(x) ? -x : x;
    if (a < 0x1p-13f) return x; // and a zero keeps its sign
    if (a < 0.625f) {
        const float y = mulRn(x, x);
        float p =
            0x1.26d238p-9f; // (tanh x - x) / x^3 in powers of x^2; own fit (Chebyshev nodes), error 7e-9
        p = fmaRn(p, y, -0x1.102424p-7f);
        p = fmaRn(p, y, 0x1.647726p-6f);
        p = fmaRn(p, y, -0x1.ba05a8p-5f);
        p = fmaRn(p, y, 0x1.1110e0p-3f);
        p = fmaRn(p, y, -0x1.555556p-2f);
        return fmaRn(mulRn(x, y), p, x);
    }
    const float r = a > 10.0f ? 1.0f : addRn(1.0f, -divRn(2.0f, addRn(fastExp(mulRn(2.0f, a)), 1.0f)));
    return isNegative(x) ? -r : r;
}

/// 1 / sqrt x by a guess from the bits and Newton's steps; +-inf at +-0, NaN below zero.
DIVDET_HD float fastRsqrt(float x) {
    if (isNan(x)) return x;
    if (x == 0.0f) return floatFromBits((bitsOf(x) & 0x80000000u) | 0x7F800000u);
    if (x < 0.0f) return floatFromBits(0x7FC00000u);
    if (isInf(x)) return 0.0f;
    const bool subnormal = bitsOf(x) < 0x00800000u;
    const float v = subnormal ? mulRn(x, 0x1p24f) : x;
    float y = floatFromBits(0x5F3759DFu - (bitsOf(v) >> 1));
    for (int step = 0; step < 3; ++step) {
        const float vy = mulRn(v, y);
        const float rest = fmaRn(-vy, y, 1.0f);
        y = fmaRn(mulRn(y, 0.5f), rest, y);
    }
    return subnormal ? mulRn(y, 0x1p12f) : y;
}

/// x/2 (1 + erf(x/sqrt 2)) and the tanh form, every step rounded to fp32: 1 + erf cancels for negative x, and
/// -inf times 0 is NaN.
DIVDET_HD float fastGelu(float x) {
    return mulRn(mulRn(0.5f, x), addRn(1.0f, erfFloat(mulRn(x, 0x1.6a09e6p-1f))));
}
DIVDET_HD float fastGeluTanh(float x) {
    const float cube = mulRn(mulRn(x, x), x);
    const float inner = mulRn(0x1.988454p-1f, fmaRn(0.044715f, cube, x));
    return mulRn(mulRn(0.5f, x), addRn(1.0f, fastTanh(inner)));
}

/// x / (1 + exp(-x)); -0 below -89, where exp(-x) overflows.
DIVDET_HD float fastSilu(float x) {
    return x < -89.0f ? -0.0f : divRn(x, addRn(1.0f, fastExp(-x)));
}

} // namespace divdet::numerics
