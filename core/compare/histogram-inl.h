// Per-target include guard: this file is compiled once for every instruction set.
#if defined(DIVDET_COMPARE_HISTOGRAM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DIVDET_COMPARE_HISTOGRAM_INL_H
#undef DIVDET_COMPARE_HISTOGRAM_INL_H
#else
#define DIVDET_COMPARE_HISTOGRAM_INL_H
#endif

#include <cstdint>
#include <cstring>

#include <hwy/highway.h>

#include "compare/block_kernels.h"
#include "compare/histogram.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DU = hn::ScalableTag<std::uint32_t>;
constexpr int kBatch = kFusedStep; ///< pairs

/// The upper and lower words of the magnitudes of as many pairs as DU has lanes, widened to double.
struct Words {
    hn::Vec<DU> high, low;
};

template <class VD>
HWY_INLINE Words wordsOf(VD first, VD second) {
    const DU du;
#if HWY_TARGET == HWY_SCALAR // one lane: `second` is not there
    (void)second;
    const auto bits = hn::GetLane(hn::BitCast(hn::ScalableTag<std::uint64_t>(), first));
    return {hn::Set(du, static_cast<std::uint32_t>(bits >> 32)),
            hn::Set(du, static_cast<std::uint32_t>(bits))};
#else
    const auto a = hn::BitCast(du, first), b = hn::BitCast(du, second);
    return {hn::ConcatOdd(du, b, a), hn::ConcatEven(du, b, a)};
#endif
}

/// As ErrorHistogram's axes: two bins per power of two from 2^kLow, split at the upper word of sqrt(2).
template <int kLow, int kHigh, bool kAnyTiny>
HWY_INLINE hn::Vec<DU> binOf(const Words& x) {
    const DU du;
    const hn::RebindToSigned<DU> di;
    constexpr std::int32_t kTop = ErrorHistogram::kBinsPerOctave * (kHigh - kLow) + 2;
    const auto half = hn::Set(du, (1u << 20) - ErrorHistogram::kHalfOctave);
    const auto twice = hn::Add(hn::ShiftRight<20>(x.high), hn::ShiftRight<20>(hn::Add(x.high, half)));
    const auto offset = hn::Set(di, 2 * (1023 + kLow) - 2);
    const auto bin = hn::Min(hn::Sub(hn::BitCast(di, twice), offset), hn::Set(di, kTop));
    const auto bits = kAnyTiny ? hn::Or(x.high, x.low) : x.high;
    const auto one = hn::BitCast(di, hn::Min(bits, hn::Set(du, 1u)));
    return hn::BitCast(du, hn::Max(bin, one));
}

/// The same axis from a float magnitude: what of its fraction decides is in both types, and floats below the
/// normal ones are in the first bin anyway.
template <int kLow, int kHigh>
HWY_INLINE hn::Vec<DU> binOfFloat(hn::Vec<DU> bits) {
    static_assert(kLow > -126);
    const DU du;
    const hn::RebindToSigned<DU> di;
    constexpr std::int32_t kTop = ErrorHistogram::kBinsPerOctave * (kHigh - kLow) + 2;
    const auto half = hn::Set(du, ((1u << 20) - ErrorHistogram::kHalfOctave) << 3);
    const auto twice = hn::Add(hn::ShiftRight<23>(bits), hn::ShiftRight<23>(hn::Add(bits, half)));
    const auto offset = hn::Set(di, 2 * (127 + kLow) - 2);
    const auto bin = hn::Min(hn::Sub(hn::BitCast(di, twice), offset), hn::Set(di, kTop));
    const auto one = hn::BitCast(di, hn::Min(bits, hn::Set(du, 1u)));
    return hn::BitCast(du, hn::Max(bin, one));
}

HWY_INLINE hn::Vec<DU> cellAt(hn::Vec<DU> row, hn::Vec<DU> column) {
    static_assert(kHistogramStride == (1 << 8) - (1 << 4));
    return hn::Add(hn::Sub(hn::ShiftLeft<8>(row), hn::ShiftLeft<4>(row)), column);
}

/// Two cells to a load, and no loop: the counting is what takes the time.
HWY_INLINE void countBatch(const std::uint32_t* cells, std::uint32_t* table) {
#pragma GCC unroll 32
    for (int k = 0; k < kBatch; k += 2) {
        std::uint64_t two;
        std::memcpy(&two, cells + k, sizeof two);
        ++table[static_cast<std::uint32_t>(two)];
        ++table[two >> 32];
    }
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#endif // per-target guard
