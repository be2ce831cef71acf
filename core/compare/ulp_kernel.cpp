#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/ulp_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"

HWY_BEFORE_NAMESPACE();
// Every processor of this set counts leading zeros too, which Highway does not ask the compiler for.
#if (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL) && HWY_COMPILER_GCC_ACTUAL
#define DIVDET_LEADING_ZEROS 1
#pragma GCC target("avx512cd")
#else
#define DIVDET_LEADING_ZEROS 0
#endif
namespace divdet::kernels {
namespace HWY_NAMESPACE {

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using DU = hn::RebindToUnsigned<DF>;
using VF = hn::Vec<DF>;
using VU = hn::Vec<DU>;

constexpr std::uint32_t kNoBin = 63; ///< of lanes that do not count

/// Steps from zero, signed.
HWY_INLINE hn::Vec<DI> stepsOf(VF x, const UlpFormat& f) {
    const DI di;
    const auto bits = hn::BitCast(di, x);
    const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
    auto code = magnitude;
    if (f.shift > 0) {
        if (f.rounds) {
            const auto odd = hn::And(hn::ShiftRightSame(code, f.shift), hn::Set(di, 1));
            code = hn::Add(hn::Add(code, hn::Set(di, (1 << (f.shift - 1)) - 1)), odd);
        }
        code = hn::Sub(hn::ShiftRightSame(code, f.shift), hn::Set(di, f.offset));
        if (f.normal > 0) {
            const DF df;
            const auto a = hn::Abs(x);
            const auto small = hn::NearestInt(hn::Mul(a, hn::Set(df, f.scale)));
            code = hn::IfThenElse(hn::RebindMask(di, hn::Lt(a, hn::Set(df, f.normal))), small, code);
        }
        code = hn::Min(code, hn::Set(di, f.overflow));
    }
    const auto sign = hn::ShiftRight<31>(bits);
    return hn::Sub(hn::Xor(code, sign), sign);
}

/// Whether the format's codes are the first bits of a float, all else being 0: fp32 and bf16.
bool topOfFloat(const UlpFormat& f) {
    return !f.integer && !f.rounds && f.offset == 0 && f.normal == 0;
}

template <bool kTopOfFloat>
HWY_INLINE VU distanceOf(VF c, VF r, const UlpFormat& f) {
    const DU du;
    const DI di;
    if constexpr (kTopOfFloat) { // steps of floats, of which each of the format's takes 2^shift
        const auto steps = [&](VF x) HWY_ATTR {
            const auto bits = hn::BitCast(di, x), sign = hn::ShiftRight<31>(bits);
            return hn::Sub(hn::Xor(hn::And(bits, hn::Set(di, 0x7FFFFFFF)), sign), sign);
        };
        const auto a = steps(c), b = steps(r);
        return hn::ShiftRightSame(hn::BitCast(du, hn::Sub(hn::Max(a, b), hn::Min(a, b))), f.shift);
    }
    if (f.integer) return hn::BitCast(du, hn::ConvertTo(di, hn::Abs(hn::Sub(c, r))));
    const auto a = stepsOf(c, f), b = stepsOf(r, f);
    return hn::BitCast(du, hn::Sub(hn::Max(a, b), hn::Min(a, b))); // up to 2^32
}

/// Bits that a distance needs: 0 for 0, else 1 + floor(log2).
HWY_INLINE VU binOf(VU distance) {
    const DU du;
#if DIVDET_LEADING_ZEROS
    return hn::Sub(hn::Set(du, 32u), VU{_mm512_lzcnt_epi32(distance.raw)});
#else
    const DI di;
    const DF df;
    // Halved so that it fits a signed word; the second bit is cleared so that rounding reaches no power of
    // two.
    const auto half = hn::ShiftRight<1>(distance);
    const auto top = hn::AndNot(hn::ShiftRight<1>(half), half);
    const auto exponent = hn::ShiftRight<23>(hn::BitCast(di, hn::ConvertTo(df, hn::BitCast(di, top))));
    const auto bits = hn::Max(hn::Sub(exponent, hn::Set(di, 126)), hn::Zero(di));
    return hn::Add(hn::BitCast(du, bits), hn::Min(distance, hn::Set(du, 1u)));
#endif
}

template <bool kSpecial, bool kTopOfFloat>
HWY_INLINE void ulpsAny(const float* c, const float* r, int n, const UlpFormat& asked, UlpFacts& facts) {
    const UlpFormat format = asked; // a copy, which storing bins cannot change
    const DF df;
    const DU du;
    constexpr int kLanes = HWY_LANES(float);
    alignas(64) std::uint8_t bins[kBlock + 4 * kLanes];
    const auto infinity = hn::Set(df, std::numeric_limits<float>::infinity());
    const auto none = hn::Set(du, kNoBin);
    auto most = hn::Zero(du);
    auto packed = hn::Zero(du);
    int stored = 0, filled = 0;
    const auto counted = [&](VF vc, VF vr) HWY_ATTR { // both finite
        return hn::And(hn::Lt(hn::Abs(vc), infinity), hn::Lt(hn::Abs(vr), infinity));
    };
    forPairs(df, c, r, n, [&](int i, auto vc, auto vr, auto valid) HWY_ATTR {
        auto distance = distanceOf<kTopOfFloat>(vc, vr, format);
        auto bin = binOf(distance);
        if (kSpecial || i + kLanes > n) {
            const auto mask = hn::RebindMask(du, valid(counted(vc, vr)));
            distance = hn::IfThenElseZero(mask, distance);
            bin = hn::IfThenElse(mask, bin, none);
        }
        most = hn::Max(most, distance);
        packed = hn::Or(hn::ShiftLeft<8>(packed), bin);
        if (++filled == 4) {
            hn::Store(packed, du, reinterpret_cast<std::uint32_t*>(bins + stored));
            stored += 4 * kLanes;
            filled = 0;
            packed = hn::Zero(du);
        }
    });
    if (filled) {
        for (; filled < 4; ++filled) packed = hn::Or(hn::ShiftLeft<8>(packed), none);
        hn::Store(packed, du, reinterpret_cast<std::uint32_t*>(bins + stored));
        stored += 4 * kLanes;
    }
    const std::uint32_t largest = hn::GetLane(hn::MaxOfLanes(du, most));
    const int last = largest ? 32 - static_cast<int>(hwy::Num0BitsAboveMS1Bit_Nonzero32(largest)) : 0;
    const hn::ScalableTag<std::uint8_t> d8;
    const int bytes = static_cast<int>(hn::Lanes(d8));
    for (int b = 0; b <= last; ++b) {
        const auto wanted = hn::Set(d8, static_cast<std::uint8_t>(b));
        std::size_t count = 0;
        for (int i = 0; i < stored; i += bytes)
            count += hn::CountTrue(d8, hn::Eq(hn::Load(d8, bins + i), wanted));
        facts.bins[b] += static_cast<std::int64_t>(count);
    }
    if (largest <= facts.most) return;
    facts.most = largest;
    facts.mostAt = -1;
    const auto wanted = hn::Set(du, largest);
    forPairs(df, c, r, n, [&](int i, auto vc, auto vr, auto valid) HWY_ATTR {
        if (facts.mostAt >= 0) return;
        const auto hit = hn::RebindMask(df, hn::Eq(distanceOf<kTopOfFloat>(vc, vr, format), wanted));
        const auto at = hn::FindFirstTrue(df, hn::And(hit, valid(counted(vc, vr))));
        if (at >= 0) facts.mostAt = i + static_cast<int>(at);
    });
}

void ulpsF32(const float* c, const float* r, int n, bool special, const UlpFormat& format, UlpFacts& facts) {
    if (special)
        ulpsAny<true, false>(c, r, n, format, facts);
    else if (topOfFloat(format))
        ulpsAny<false, true>(c, r, n, format, facts);
    else
        ulpsAny<false, false>(c, r, n, format, facts);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
#undef DIVDET_LEADING_ZEROS
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::kernels {
HWY_EXPORT(ulpsF32);

void ulpPairs(const float* c, const float* r, int n, bool special, const UlpFormat& format, UlpFacts& facts) {
    HWY_DYNAMIC_DISPATCH(ulpsF32)(c, r, n, special, format, facts);
}

} // namespace divdet::kernels
#endif
