// Per-target include guard: this file is compiled once for every instruction set.
#if defined(DIVDET_HOST_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DIVDET_HOST_SIMD_INL_H
#undef DIVDET_HOST_SIMD_INL_H
#else
#define DIVDET_HOST_SIMD_INL_H
#endif

#include "numerics/rounding.h"

#include <hwy/highway.h>

// Tiles live in registers only when the loops over them are unrolled. Instrumented code would grow beyond
// what the compiler handles in reasonable time, so sanitizer builds keep the loops.
#ifndef DIVDET_UNROLL
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DIVDET_UNROLL(n)
#else
#define DIVDET_UNROLL(n) HWY_UNROLL(n)
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace divdet::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::ScalableTag<std::int32_t>;
using Floats = hn::Vec<FloatTag>;
using Ints = hn::Vec<IntTag>;

inline constexpr FloatTag kF{};
inline constexpr IntTag kI{};
inline constexpr std::size_t kLaneCount = HWY_LANES(float);

// A column panel is kVectors vectors wide: as many accumulators as registers allow.
inline constexpr std::size_t kVectors = HWY_CAP_GE512 ? 4 : 2;
inline constexpr std::size_t kPanel = kVectors * kLaneCount;

/// x f(y) per lane, for operations some instruction set lacks.
template <class F>
HWY_INLINE Floats perLane(Floats x, Floats y, Floats z, const F& f) {
    HWY_ALIGN float a[kLaneCount], b[kLaneCount], c[kLaneCount];
    hn::Store(x, kF, a);
    hn::Store(y, kF, b);
    hn::Store(z, kF, c);
    for (std::size_t i = 0; i < kLaneCount; ++i) a[i] = f(a[i], b[i], c[i]);
    return hn::Load(kF, a);
}

/// a b + c with one rounding on every target.
HWY_INLINE Floats fused(Floats a, Floats b, Floats c) {
#if HWY_NATIVE_FMA
    return hn::MulAdd(a, b, c);
#else
    return perLane(a, b, c, [](float x, float y, float z) { return numerics::fmaRn(x, y, z); });
#endif
}

/// Toward zero, without Highway's handling of values that do not fit. Precondition: |x| < 2^31.
HWY_INLINE Ints truncated(Floats x) {
#if HWY_TARGET == HWY_AVX2
    return Ints{_mm256_cvttps_epi32(x.raw)};
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    return Ints{_mm512_cvttps_epi32(x.raw)};
#else
    return hn::ConvertTo(kI, x);
#endif
}

/// To the nearest f16 value, ties to even, subnormals kept, beyond 65504 infinite.
HWY_INLINE Floats roundedToF16(Floats x) {
#if HWY_NATIVE_FMA
    const hn::Rebind<hwy::float16_t, FloatTag> half;
    return hn::PromoteTo(kF, hn::DemoteTo(half, x));
#else
    return perLane(x, x, x, [](float v, float, float) { return numerics::roundToF16(v); });
#endif
}

/// To the nearest bf16 value, ties to even. NaN payloads may overflow into another value unless kNanSafe.
template <bool kNanSafe>
HWY_INLINE Floats roundedToBf16(Floats x) {
    const Ints u = hn::BitCast(kI, x);
    const Ints odd = hn::And(hn::ShiftRight<16>(u), hn::Set(kI, 1));
    const Ints sum = hn::Add(hn::Add(u, hn::Set(kI, 0x7FFF)), odd);
    const Floats r = hn::BitCast(kF, hn::And(sum, hn::Set(kI, static_cast<std::int32_t>(0xFFFF0000u))));
    if constexpr (kNanSafe)
        return hn::IfThenElse(hn::IsNaN(x), hn::Or(x, hn::BitCast(kF, hn::Set(kI, 0x7FC00000))), r);
    return r;
}

} // namespace HWY_NAMESPACE
} // namespace divdet::host
HWY_AFTER_NAMESPACE();

#endif // per-target guard
