#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tensor/dtype.h"

namespace divdet::rules {

/// The format in which a tool keeps the result of one operation. Doubles hold the values of all of them, and
/// one operation in double rounded to a format of at most 24 significand bits is that operation in the
/// format itself: 53 >= 2·24 + 2 (Figueroa, "When is double rounding innocuous?").
enum class Precision { f64, f32, f16, bf16 };

/// Rounds to nearest even with `Fraction` stored bits and smallest normal exponent `MinExponent`.
template <int Fraction, int MinExponent>
inline double roundedNarrow(double v, double largest) {
    const double a = std::fabs(v);
    if (!(a <= std::numeric_limits<double>::max())) return v;
    double r;
    if (a < std::ldexp(1.0, MinExponent)) {
        const double magic = std::ldexp(1.5, MinExponent - Fraction + 52);
        r = (a + magic) - magic;
    } else {
        constexpr int kShift = 52 - Fraction;
        std::uint64_t u = std::bit_cast<std::uint64_t>(a);
        u += (std::uint64_t{1} << (kShift - 1)) - 1 + (u >> kShift & 1);
        u &= ~((std::uint64_t{1} << kShift) - 1);
        r = std::bit_cast<double>(u);
        if (r > largest) r = std::numeric_limits<double>::infinity();
    }
    return std::copysign(r, v);
}

template <Precision P>
inline double rounded(double v) {
    if constexpr (P == Precision::f64)
        return v;
    else if constexpr (P == Precision::f32)
        return static_cast<double>(static_cast<float>(v));
    else if constexpr (P == Precision::f16)
        return roundedNarrow<10, -14>(v, 65504.0);
    else
        return roundedNarrow<7, -126>(v, 0x1.FEp127);
}

inline double rounded(Precision p, double v) {
    switch (p) {
    case Precision::f64:
        return v;
    case Precision::f32:
        return rounded<Precision::f32>(v);
    case Precision::f16:
        return rounded<Precision::f16>(v);
    case Precision::bf16:
        return rounded<Precision::bf16>(v);
    }
    return v;
}

/// Calls f<P>() for a run-time precision.
template <class F>
auto withPrecision(Precision p, F&& f) {
    switch (p) {
    case Precision::f64:
        return f.template operator()<Precision::f64>();
    case Precision::f32:
        return f.template operator()<Precision::f32>();
    case Precision::f16:
        return f.template operator()<Precision::f16>();
    case Precision::bf16:
        return f.template operator()<Precision::bf16>();
    }
    return f.template operator()<Precision::f64>();
}

inline bool isInteger(DType t) {
    return kind(t) == DTypeKind::integer || kind(t) == DTypeKind::boolean;
}
inline bool isComplex(DType t) {
    return kind(t) == DTypeKind::complex;
}
inline bool isFp8(DType t) {
    return t == DType::f8e4m3 || t == DType::f8e5m2;
}

} // namespace divdet::rules
