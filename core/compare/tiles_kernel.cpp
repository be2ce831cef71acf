#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/tiles_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

constexpr std::int64_t kTileLanes = 8;
using DT = hn::CappedTag<double, kTileLanes>;

HWY_INLINE hn::Vec<DT> wideTile(const float* p) {
    const hn::Rebind<float, DT> half;
    return hn::PromoteTo(DT(), hn::LoadU(half, p));
}
HWY_INLINE hn::Vec<DT> wideTile(const double* p) {
    return hn::LoadU(DT(), p);
}

template <class T>
HWY_INLINE double valueAt(const T* p, std::int64_t i) {
    T x;
    std::memcpy(&x, reinterpret_cast<const char*>(p) + static_cast<std::size_t>(i) * sizeof(T), sizeof x);
    return static_cast<double>(x);
}

template <class T>
HWY_INLINE void addScalar(const T* c, const T* r, std::int64_t i, double& max, double& sum2) {
    const double e = std::fabs(valueAt(c, i) - valueAt(r, i));
    max = std::max(max, e);
    sum2 += e * e;
}

/// One element to a lane.
template <class T>
HWY_INLINE void addColumns(const T* c, const T* r, std::int64_t n, double* max, double* sum2) {
    const DT d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const auto e = hn::Abs(hn::Sub(wideTile(c + i), wideTile(r + i)));
        hn::StoreU(hn::Max(hn::LoadU(d, max + i), e), d, max + i);
        hn::StoreU(hn::Add(hn::LoadU(d, sum2 + i), hn::Mul(e, e)), d, sum2 + i);
    }
    for (; i < n; ++i) addScalar(c, r, i, max[i], sum2[i]);
}

/// Whole rounds of eight onto the eight lanes of one tile.
template <class T>
HWY_INLINE void addRounds(const T* c, const T* r, std::int64_t rounds, double* max, double* sum2) {
    const DT d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t lane = 0; lane < kTileLanes; lane += lanes) {
        auto most = hn::LoadU(d, max + lane), sum = hn::LoadU(d, sum2 + lane);
        for (std::int64_t i = 0; i < rounds; ++i) {
            const auto e =
                hn::Abs(hn::Sub(wideTile(c + i * kTileLanes + lane), wideTile(r + i * kTileLanes + lane)));
            most = hn::Max(most, e);
            sum = hn::Add(sum, hn::Mul(e, e));
        }
        hn::StoreU(most, d, max + lane);
        hn::StoreU(sum, d, sum2 + lane);
    }
}

template <class T>
HWY_INLINE void addAny(const T* c, const T* r, int n, std::int64_t column, std::int64_t columnsPerTile,
                       double* max, double* sum2) {
    if (columnsPerTile <= kTileLanes) return addColumns(c, r, n, max + column, sum2 + column);
    std::int64_t i = 0, inTile = column % columnsPerTile;
    std::int64_t base = column / columnsPerTile * kTileLanes;
    while (i < n) {
        const std::int64_t end = i + std::min<std::int64_t>(n - i, columnsPerTile - inTile);
        while (i < end) {
            const std::int64_t lane = base + inTile % kTileLanes, rounds = (end - i) / kTileLanes;
            if (lane == base && rounds > 0) {
                addRounds(c + i, r + i, rounds, max + base, sum2 + base);
                i += rounds * kTileLanes;
                inTile += rounds * kTileLanes;
            } else {
                addScalar(c, r, i++, max[lane], sum2[lane]);
                ++inTile;
            }
        }
        inTile = 0;
        base += kTileLanes;
    }
}

void tilesF32(const float* c, const float* r, int n, std::int64_t column, std::int64_t columnsPerTile,
              double* max, double* sum2) {
    addAny(c, r, n, column, columnsPerTile, max, sum2);
}
void tilesF64(const double* c, const double* r, int n, std::int64_t column, std::int64_t columnsPerTile,
              double* max, double* sum2) {
    addAny(c, r, n, column, columnsPerTile, max, sum2);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::kernels {
HWY_EXPORT(tilesF32);
HWY_EXPORT(tilesF64);

void addTiles(const float* c, const float* r, int n, std::int64_t column, std::int64_t columnsPerTile,
              double* max, double* sum2) {
    HWY_DYNAMIC_DISPATCH(tilesF32)(c, r, n, column, columnsPerTile, max, sum2);
}
void addTiles(const double* c, const double* r, int n, std::int64_t column, std::int64_t columnsPerTile,
              double* max, double* sum2) {
    HWY_DYNAMIC_DISPATCH(tilesF64)(c, r, n, column, columnsPerTile, max, sum2);
}

} // namespace divdet::kernels
#endif
