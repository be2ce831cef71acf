#pragma once
#include "numerics/float_bits.h"
#include "numerics/maths_tables.h"

/// Elementary functions with the same bits on every host and device: internals in double with explicit fma,
/// one rounding to float at the end. Worst error of the float results 0.5000002 ulp (exp, tanh, erf, log,
/// silu, rsqrt); gelu keeps its relative accuracy in the negative tail, where 1 + erf cancels. NaN gives NaN.
namespace divdet::numerics {

/// c[0] + c[1] x + ... by Horner, one fma per coefficient.
template <int N>
DIVDET_HD double polynomial(const double (&c)[N], double x) {
    double p = c[N - 1];
    for (int i = N - 2; i >= 0; --i) p = fmaRn(p, x, c[i]);
    return p;
}

/// e^x in double, relative error below 3e-16. Precondition: |x| < 700.
DIVDET_HD double expDouble(double x) {
    constexpr double toInteger = 0x1.8p52; // adding it leaves rint(x log2 e) in the low bits
    const double shifted = addRn(mulRn(x, 0x1.71547652b82fep0), toInteger);
    const double n = addRn(shifted, -toInteger);
    const int k = static_cast<int>(static_cast<std::int32_t>(bitsOf(shifted) & 0xFFFFFFFFu));
    double r = fmaRn(-n, 0x1.62e42fefa39efp-1, x);
    r = fmaRn(-n, 0x1.abc9e3b39803fp-56, r);
    return mulRn(polynomial(tables::kExp, r), powerOfTwo(k));
}

/// Natural logarithm in double. Precondition: x is a positive normal number.
DIVDET_HD double logDouble(double x) {
    std::uint64_t u = bitsOf(x);
    int e = static_cast<int>(u >> 52) - 1023;
    double m = doubleFromBits((u & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
    if (m > 0x1.6a09e667f3bcdp0) {
        m = mulRn(m, 0.5);
        ++e;
    }
    const double s = divRn(addRn(m, -1.0), addRn(m, 1.0));
    const double p = polynomial(tables::kLog, mulRn(s, s));
    const double n = static_cast<double>(e);
    const double low = fmaRn(n, 0x1.abc9e3b39803fp-56, mulRn(mulRn(2.0, s), p));
    return fmaRn(n, 0x1.62e42fefa39efp-1, low);
}

DIVDET_HD double tanhDouble(double x) {
    const double a = x < 0 ? -x : x;
    if (a < 0.5) return mulRn(polynomial(tables::kTanh, mulRn(x, x)), x);
    const double r = a > 20 ? 1.0 : addRn(1.0, -divRn(2.0, addRn(expDouble(mulRn(2.0, a)), 1.0)));
    return x < 0 ? -r : r;
}

/// 1 - erf x for x >= 0.5; 0 from 10.5 on, where it is below every float.
DIVDET_HD double erfcTail(double x) {
    if (x >= 10.5) return 0.0;
    const double square = mulRn(x, x);
    const double squareError = fmaRn(x, x, -square);
    const double e = expDouble(-square);
    const double scale = fmaRn(-squareError, e, e); // exp(-x^2) with the rounding of the square undone
    const double t = divRn(addRn(x, -2.0), addRn(x, 2.0));
    return divRn(mulRn(scale, polynomial(tables::kErfcScaled, t)), fmaRn(2.0, x, 1.0));
}

DIVDET_HD double erfDouble(double x) {
    const double a = x < 0 ? -x : x;
    if (a < 0.5) return mulRn(polynomial(tables::kErf, mulRn(x, x)), x);
    const double r = addRn(1.0, -erfcTail(a));
    return x < 0 ? -r : r;
}

DIVDET_HD float expFloat(float x) {
    if (isNan(x)) return x;
    if (x > 89.0f) return floatFromBits(0x7F800000u);
    if (x < -105.0f) return 0.0f;
    return toFloatRn(expDouble(static_cast<double>(x)));
}

/// -inf at zeros, NaN below; subnormal inputs are normal doubles.
DIVDET_HD float logFloat(float x) {
    if (isNan(x)) return x;
    if (x == 0.0f) return floatFromBits(0xFF800000u);
    if (x < 0.0f) return floatFromBits(0x7FC00000u);
    if (isInf(x)) return x;
    return toFloatRn(logDouble(static_cast<double>(x)));
}

DIVDET_HD float tanhFloat(float x) {
    return isNan(x) ? x : toFloatRn(tanhDouble(static_cast<double>(x)));
}

DIVDET_HD float erfFloat(float x) {
    return isNan(x) ? x : toFloatRn(erfDouble(static_cast<double>(x)));
}

/// x Phi(x) = x/2 (1 + erf(x/sqrt 2)); +inf at +inf, -0 at -inf.
DIVDET_HD float geluFloat(float x) {
    if (isNan(x)) return x;
    if (x > 16.0f) return x;
    if (x < -16.0f) return -0.0f;
    const double d = static_cast<double>(x);
    const double z = mulRn(d, 0x1.6a09e667f3bcdp-1);
    const double twice = z <= -0.5 ? erfcTail(-z) : addRn(1.0, erfDouble(z));
    return toFloatRn(mulRn(mulRn(0.5, d), twice));
}

/// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), evaluated as x / (1 + exp(-2 ...)), which does not cancel.
DIVDET_HD float geluTanhFloat(float x) {
    if (isNan(x)) return x;
    if (x > 16.0f) return x;
    if (x < -16.0f) return -0.0f;
    const double d = static_cast<double>(x);
    const double inner = mulRn(d, fmaRn(0.044715, mulRn(d, d), 1.0));
    return toFloatRn(divRn(d, addRn(1.0, expDouble(mulRn(-0x1.9884533d43651p0, inner)))));
}

/// x / (1 + exp(-x)).
DIVDET_HD float siluFloat(float x) {
    if (isNan(x)) return x;
    if (x > 104.0f) return x;
    if (x < -120.0f) return -0.0f;
    const double d = static_cast<double>(x);
    return toFloatRn(divRn(d, addRn(1.0, expDouble(-d))));
}

/// x where it is positive or NaN, else +0.
DIVDET_HD float reluFloat(float x) {
    return x > 0.0f || isNan(x) ? x : 0.0f;
}

/// 1 / sqrt x; +-inf at +-0, NaN below zero.
DIVDET_HD float rsqrtFloat(float x) {
    return toFloatRn(divRn(1.0, sqrtRn(static_cast<double>(x))));
}

} // namespace divdet::numerics
