#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/fused_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"
#include "compare/histogram-inl.h"
#include "compare/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
using Half = VectorSums<float>; ///< eight of the sixteen lanes

template <bool kTiles>
HWY_INLINE void fusedAll(const float* c, const float* r, int n, std::uint32_t* table, double* tileMax,
                         double* tileSum2, const Ahead& ahead, LaneSums& sums) {
    const Half::D d;
    const DU du;
    const hn::ScalableTag<float> df;
    const hn::Rebind<float, Half::D> half;
    constexpr std::size_t kHalf = LaneSums::kLanes / 2;
    alignas(64) std::uint32_t cells[kBatch];
    Half low = Half::load(0, sums), high = Half::load(kHalf, sums);
    const auto errorOf = [&](std::size_t at, Half& to) HWY_ATTR {
        const auto x = hn::PromoteTo(d, hn::LoadU(half, c + at)),
                   y = hn::PromoteTo(d, hn::LoadU(half, r + at));
        const auto delta = hn::Sub(x, y), e = hn::Abs(delta), e2 = hn::Mul(e, e);
        to.add(x, y, delta, e, e2);
        if constexpr (kTiles) {
            hn::StoreU(hn::Max(hn::LoadU(d, tileMax + at), e), d, tileMax + at);
            hn::StoreU(hn::Add(hn::LoadU(d, tileSum2 + at), e2), d, tileSum2 + at);
        }
        return e;
    };
    for (int i = 0; i < n; i += kBatch) {
        for (int k = 0; k < kBatch; k += LaneSums::kLanes) {
            const auto at = static_cast<std::size_t>(i + k);
            const auto first = errorOf(at, low), second = errorOf(at + kHalf, high);
            const auto row =
                binOf<ErrorHistogram::kErrorLow, ErrorHistogram::kErrorHigh, false>(wordsOf(first, second));
            const auto column = binOfFloat<ErrorHistogram::kMagnitudeLow, ErrorHistogram::kMagnitudeHigh>(
                hn::BitCast(du, hn::Abs(hn::LoadU(df, r + at))));
            hn::Store(cellAt(row, column), du, cells + k);
        }
        fetch(ahead.candidate, ahead.candidateBytes, i, kBatch);
        fetch(ahead.reference, ahead.referenceBytes, i, kBatch);
        countBatch(cells, table);
    }
    low.store(0, sums);
    high.store(kHalf, sums);
}

bool fusedF32(const float* c, const float* r, int n, std::uint32_t* table, double* tileMax, double* tileSum2,
              const Ahead& ahead, LaneSums& sums) {
    if (n % kBatch != 0) return false;
    if (tileMax)
        fusedAll<true>(c, r, n, table, tileMax, tileSum2, ahead, sums);
    else
        fusedAll<false>(c, r, n, table, nullptr, nullptr, ahead, sums);
    return true;
}
#else
bool fusedF32(const float*, const float*, int, std::uint32_t*, double*, double*, const Ahead&, LaneSums&) {
    return false;
}
#endif

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::kernels {
HWY_EXPORT(fusedF32);

bool fusedPairs(const float* c, const float* r, int n, std::uint32_t* table, double* tileMax,
                double* tileSum2, const Ahead& ahead, LaneSums& sums) {
    return HWY_DYNAMIC_DISPATCH(fusedF32)(c, r, n, table, tileMax, tileSum2, ahead, sums);
}

} // namespace divdet::kernels
#endif
