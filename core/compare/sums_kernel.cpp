#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/sums_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"
#include "compare/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

using DD = hn::CappedTag<double, LaneSums::kLanes>;

HWY_INLINE hn::Vec<DD> wide(DD d, const float* p) {
    const hn::Rebind<float, DD> half;
    return hn::PromoteTo(d, hn::LoadU(half, p));
}
HWY_INLINE hn::Vec<DD> wide(DD d, const double* p) {
    return hn::LoadU(d, p);
}

/// The lanes [lane, lane + vector) of all sums over whole rows of 16 elements.
template <class T, bool kSpecial>
HWY_INLINE void sumLanes(const T* c, const T* r, int rows, std::size_t lane, const Ahead& ahead,
                         LaneSums& out, LargestValues& largest) {
    const DD d;
    auto sums = VectorSums<T>::load(lane, out);
    auto maxE = hn::Zero(d), maxC = maxE, maxR = maxE;
    const auto infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    c += lane;
    r += lane;
    for (int i = 0; i < rows; ++i, c += LaneSums::kLanes, r += LaneSums::kLanes) {
        if (lane == 0) fetch(ahead.candidate, ahead.candidateBytes, i * LaneSums::kLanes, LaneSums::kLanes);
        auto x = wide(d, c), y = wide(d, r), delta = hn::Sub(x, y);
        if constexpr (kSpecial) {
            const auto finite = hn::Lt(hn::Abs(delta), infinity);
            x = hn::IfThenElseZero(finite, x);
            y = hn::IfThenElseZero(finite, y);
            delta = hn::IfThenElseZero(finite, delta);
        }
        const auto e = hn::Abs(delta);
        sums.add(x, y, delta, e, hn::Mul(e, e));
        if constexpr (sizeof(T) == 8) {
            maxE = hn::Max(maxE, e);
            maxC = hn::Max(maxC, hn::Abs(x));
            maxR = hn::Max(maxR, hn::Abs(y));
        }
    }
    sums.store(lane, out);
    if constexpr (sizeof(T) == 8) {
        largest.error = HWY_MAX(largest.error, hn::GetLane(hn::MaxOfLanes(d, maxE)));
        largest.candidate = HWY_MAX(largest.candidate, hn::GetLane(hn::MaxOfLanes(d, maxC)));
        largest.reference = HWY_MAX(largest.reference, hn::GetLane(hn::MaxOfLanes(d, maxR)));
    }
}

template <class T, bool kSpecial>
HWY_INLINE void sumRows(const T* c, const T* r, int rows, const Ahead& ahead, LaneSums& out,
                        LargestValues& largest) {
    for (std::size_t lane = 0; lane < LaneSums::kLanes; lane += hn::Lanes(DD()))
        sumLanes<T, kSpecial>(c, r, rows, lane, ahead, out, largest);
}

template <class T>
HWY_INLINE void sumAny(const T* c, const T* r, int n, bool special, const Ahead& ahead, Sums& sums,
                       LargestValues& largest) {
    LaneSums lanes;
    const int rows = n / LaneSums::kLanes, rest = n % LaneSums::kLanes;
    const auto add = [&](const T* x, const T* y, int count, const Ahead& next) HWY_ATTR {
        if (special)
            sumRows<T, true>(x, y, count, next, lanes, largest);
        else
            sumRows<T, false>(x, y, count, next, lanes, largest);
    };
    add(c, r, rows, ahead);
    if (rest) { // zeros add nothing
        alignas(64) T lastC[LaneSums::kLanes] = {}, lastR[LaneSums::kLanes] = {};
        const auto from = static_cast<std::size_t>(rows * LaneSums::kLanes) * sizeof(T);
        std::memcpy(lastC, reinterpret_cast<const char*>(c) + from,
                    static_cast<std::size_t>(rest) * sizeof(T));
        std::memcpy(lastR, reinterpret_cast<const char*>(r) + from,
                    static_cast<std::size_t>(rest) * sizeof(T));
        add(lastC, lastR, 1, Ahead{});
    }
    sums = lanes.folded();
}

void sumsF32(const float* c, const float* r, int n, bool special, const Ahead& ahead, Sums& sums,
             LargestValues& largest) {
    sumAny(c, r, n, special, ahead, sums, largest);
}
void sumsF64(const double* c, const double* r, int n, bool special, const Ahead& ahead, Sums& sums,
             LargestValues& largest) {
    sumAny(c, r, n, special, ahead, sums, largest);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::kernels {
HWY_EXPORT(sumsF32);
HWY_EXPORT(sumsF64);

void sumPairs(const float* c, const float* r, int n, bool special, const Ahead& ahead, Sums& sums,
              LargestValues& largest) {
    HWY_DYNAMIC_DISPATCH(sumsF32)(c, r, n, special, ahead, sums, largest);
}
void sumPairs(const double* c, const double* r, int n, bool special, const Ahead& ahead, Sums& sums,
              LargestValues& largest) {
    HWY_DYNAMIC_DISPATCH(sumsF64)(c, r, n, special, ahead, sums, largest);
}

} // namespace divdet::kernels
#endif
