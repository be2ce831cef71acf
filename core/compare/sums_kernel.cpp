#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/sums_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"

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

/// Σ a·b. The product of two floats is exact in double, so that fusing changes no bit there.
template <class T>
HWY_INLINE hn::Vec<DD> addProduct(hn::Vec<DD> a, hn::Vec<DD> b, hn::Vec<DD> sum) {
    if constexpr (sizeof(T) == 4)
        return hn::MulAdd(a, b, sum);
    else
        return hn::Add(sum, hn::Mul(a, b));
}

/// The lanes [lane, lane + vector) of all sums over whole rows of 16 elements.
template <class T, bool kSpecial>
HWY_INLINE void sumLanes(const T* c, const T* r, int rows, std::size_t lane, const Ahead& ahead,
                         LaneSums& out, LargestValues& largest) {
    const DD d;
    auto abs = hn::Load(d, out.abs + lane), abs2 = hn::Load(d, out.abs2 + lane);
    auto diff = hn::Load(d, out.diff + lane), ref = hn::Load(d, out.ref + lane);
    auto cand = hn::Load(d, out.cand + lane), ref2 = hn::Load(d, out.ref2 + lane);
    auto cand2 = hn::Load(d, out.cand2 + lane), cross = hn::Load(d, out.cross + lane);
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
        abs = hn::Add(abs, e);
        abs2 = hn::Add(abs2, hn::Mul(e, e));
        diff = hn::Add(diff, delta);
        ref = hn::Add(ref, y);
        cand = hn::Add(cand, x);
        ref2 = addProduct<T>(y, y, ref2);
        cand2 = addProduct<T>(x, x, cand2);
        cross = addProduct<T>(x, y, cross);
        if constexpr (sizeof(T) == 8) {
            maxE = hn::Max(maxE, e);
            maxC = hn::Max(maxC, hn::Abs(x));
            maxR = hn::Max(maxR, hn::Abs(y));
        }
    }
    hn::Store(abs, d, out.abs + lane);
    hn::Store(abs2, d, out.abs2 + lane);
    hn::Store(diff, d, out.diff + lane);
    hn::Store(ref, d, out.ref + lane);
    hn::Store(cand, d, out.cand + lane);
    hn::Store(ref2, d, out.ref2 + lane);
    hn::Store(cand2, d, out.cand2 + lane);
    hn::Store(cross, d, out.cross + lane);
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
