#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/histogram_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"
#include "compare/histogram.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

using DU = hn::ScalableTag<std::uint32_t>;

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

template <class T, class DT>
HWY_INLINE hn::Vec<hn::ScalableTag<double>> wideAt(DT d, const T* p) {
    if constexpr (sizeof(T) == 4)
        return hn::PromoteTo(hn::ScalableTag<double>(), hn::LoadU(d, p));
    else
        return hn::LoadU(d, p);
}

/// Cells of as many pairs as DU has lanes; those that are not finite go to the last row.
template <class T, bool kSpecial>
HWY_INLINE hn::Vec<DU> cellsOf(const T* c, const T* r) {
    const DU du;
    const hn::ScalableTag<double> dd;
    const hn::Rebind<T, decltype(dd)> half;
    const std::size_t step = hn::Lanes(du) - hn::Lanes(dd);
    const auto y0 = wideAt<T>(half, r), y1 = wideAt<T>(half, r + step);
    const auto x0 = wideAt<T>(half, c), x1 = wideAt<T>(half, c + step);
    const Words e = wordsOf(hn::Abs(hn::Sub(x0, y0)), hn::Abs(hn::Sub(x1, y1)));
    const Words m = wordsOf(hn::Abs(y0), hn::Abs(y1));
    constexpr bool kAnyTiny = sizeof(T) == 8;
    const auto row = binOf<ErrorHistogram::kErrorLow, ErrorHistogram::kErrorHigh, kAnyTiny>(e);
    const auto column = binOf<ErrorHistogram::kMagnitudeLow, ErrorHistogram::kMagnitudeHigh, kAnyTiny>(m);
    auto cell = hn::Add(hn::ShiftLeft<8>(row), column);
    static_assert(kHistogramStride == 1 << 8);
    if constexpr (kSpecial)
        cell = hn::IfThenElse(hn::Lt(e.high, hn::Set(du, 0x7FF00000u)), cell,
                              hn::Set(du, static_cast<std::uint32_t>(kHistogramCells - kHistogramStride)));
    return cell;
}

template <class T, bool kSpecial>
HWY_INLINE void histogramAll(const T* c, const T* r, int n, std::uint32_t* table) {
    constexpr int kBatch = 64;
    const DU du;
    const int lanes = static_cast<int>(hn::Lanes(du));
    alignas(64) std::uint32_t cells[kBatch];
    int i = 0;
    for (; i + kBatch <= n; i += kBatch) {
        for (int k = 0; k < kBatch; k += lanes)
            hn::Store(cellsOf<T, kSpecial>(c + i + k, r + i + k), du, cells + k);
        for (int k = 0; k < kBatch; ++k) ++table[cells[k]];
    }
    if (i == n) return;
    alignas(64) T lastC[kBatch] = {}, lastR[kBatch] = {};
    const auto from = static_cast<std::size_t>(i) * sizeof(T),
               size = static_cast<std::size_t>(n - i) * sizeof(T);
    std::memcpy(lastC, reinterpret_cast<const char*>(c) + from, size);
    std::memcpy(lastR, reinterpret_cast<const char*>(r) + from, size);
    for (int k = 0; k < kBatch; k += lanes)
        hn::Store(cellsOf<T, kSpecial>(lastC + k, lastR + k), du, cells + k);
    for (int k = 0; k < n - i; ++k) ++table[cells[k]];
}

template <class T>
HWY_INLINE void histogramAny(const T* c, const T* r, int n, bool special, std::uint32_t* table) {
    if (special)
        histogramAll<T, true>(c, r, n, table);
    else
        histogramAll<T, false>(c, r, n, table);
}

void histogramF32(const float* c, const float* r, int n, bool special, std::uint32_t* table) {
    histogramAny(c, r, n, special, table);
}
void histogramF64(const double* c, const double* r, int n, bool special, std::uint32_t* table) {
    histogramAny(c, r, n, special, table);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::kernels {
HWY_EXPORT(histogramF32);
HWY_EXPORT(histogramF64);

void histogramPairs(const float* c, const float* r, int n, bool special, std::uint32_t* table) {
    HWY_DYNAMIC_DISPATCH(histogramF32)(c, r, n, special, table);
}
void histogramPairs(const double* c, const double* r, int n, bool special, std::uint32_t* table) {
    HWY_DYNAMIC_DISPATCH(histogramF64)(c, r, n, special, table);
}

} // namespace divdet::kernels
#endif
