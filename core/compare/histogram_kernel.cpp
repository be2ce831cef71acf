#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/histogram_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"
#include "compare/histogram-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

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
    constexpr bool kAnyTiny = sizeof(T) == 8;
    const auto row = binOf<ErrorHistogram::kErrorLow, ErrorHistogram::kErrorHigh, kAnyTiny>(e);
    constexpr int kLow = ErrorHistogram::kMagnitudeLow, kHigh = ErrorHistogram::kMagnitudeHigh;
    hn::Vec<DU> column;
    if constexpr (sizeof(T) == 4) {
        column = binOfFloat<kLow, kHigh>(hn::BitCast(du, hn::Abs(hn::LoadU(hn::ScalableTag<float>(), r))));
    } else {
        column = binOf<kLow, kHigh, kAnyTiny>(wordsOf(hn::Abs(y0), hn::Abs(y1)));
    }
    auto cell = cellAt(row, column);
    if constexpr (kSpecial)
        cell = hn::IfThenElse(hn::Lt(e.high, hn::Set(du, 0x7FF00000u)), cell,
                              hn::Set(du, static_cast<std::uint32_t>(kHistogramCells - kHistogramStride)));
    return cell;
}

template <class T, bool kSpecial>
HWY_INLINE void histogramAll(const T* c, const T* r, int n, std::uint32_t* table, const Ahead& ahead) {
    const DU du;
    const int lanes = static_cast<int>(hn::Lanes(du));
    alignas(64) std::uint32_t cells[kBatch];
    int i = 0;
    for (; i + kBatch <= n; i += kBatch) {
        for (int k = 0; k < kBatch; k += lanes)
            hn::Store(cellsOf<T, kSpecial>(c + i + k, r + i + k), du, cells + k);
        fetch(ahead.reference, ahead.referenceBytes, i, kBatch);
        countBatch(cells, table);
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
HWY_INLINE void histogramAny(const T* c, const T* r, int n, bool special, std::uint32_t* table,
                             const Ahead& ahead) {
    if (special)
        histogramAll<T, true>(c, r, n, table, ahead);
    else
        histogramAll<T, false>(c, r, n, table, ahead);
}

void histogramF32(const float* c, const float* r, int n, bool special, std::uint32_t* table,
                  const Ahead& ahead) {
    histogramAny(c, r, n, special, table, ahead);
}
void histogramF64(const double* c, const double* r, int n, bool special, std::uint32_t* table,
                  const Ahead& ahead) {
    histogramAny(c, r, n, special, table, ahead);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::kernels {
HWY_EXPORT(histogramF32);
HWY_EXPORT(histogramF64);

void histogramPairs(const float* c, const float* r, int n, bool special, std::uint32_t* table,
                    const Ahead& ahead) {
    HWY_DYNAMIC_DISPATCH(histogramF32)(c, r, n, special, table, ahead);
}
void histogramPairs(const double* c, const double* r, int n, bool special, std::uint32_t* table,
                    const Ahead& ahead) {
    HWY_DYNAMIC_DISPATCH(histogramF64)(c, r, n, special, table, ahead);
}

} // namespace divdet::kernels
#endif
