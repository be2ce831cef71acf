// Per-target include guard: this file is compiled once for every instruction set.
#if defined(DIVDET_COMPARE_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DIVDET_COMPARE_SUMS_INL_H
#undef DIVDET_COMPARE_SUMS_INL_H
#else
#define DIVDET_COMPARE_SUMS_INL_H
#endif

#include <hwy/highway.h>

#include "compare/sums.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Σ a·b. The product of two floats is exact in double, so that fusing changes no bit there.
template <class T, class V>
HWY_INLINE V addProduct(V a, V b, V sum) {
    if constexpr (sizeof(T) == 4)
        return hn::MulAdd(a, b, sum);
    else
        return hn::Add(sum, hn::Mul(a, b));
}

/// As many of the sixteen lanes of every sum as a vector holds, of pairs of T.
template <class T>
struct VectorSums {
    using D = hn::CappedTag<double, LaneSums::kLanes>;
    using V = hn::Vec<D>;
    V abs, abs2, diff, ref, cand, ref2, cand2, cross;

    /// delta = x − y, e = |delta|, e2 = e·e.
    HWY_INLINE void add(V x, V y, V delta, V e, V e2) {
        abs = hn::Add(abs, e);
        abs2 = hn::Add(abs2, e2);
        diff = hn::Add(diff, delta);
        ref = hn::Add(ref, y);
        cand = hn::Add(cand, x);
        ref2 = addProduct<T>(y, y, ref2);
        cand2 = addProduct<T>(x, x, cand2);
        cross = addProduct<T>(x, y, cross);
    }
    HWY_INLINE void store(std::size_t lane, LaneSums& out) const {
        const D d;
        hn::Store(abs, d, out.abs + lane);
        hn::Store(abs2, d, out.abs2 + lane);
        hn::Store(diff, d, out.diff + lane);
        hn::Store(ref, d, out.ref + lane);
        hn::Store(cand, d, out.cand + lane);
        hn::Store(ref2, d, out.ref2 + lane);
        hn::Store(cand2, d, out.cand2 + lane);
        hn::Store(cross, d, out.cross + lane);
    }
    static HWY_INLINE VectorSums load(std::size_t lane, const LaneSums& from) {
        const D d;
        return {hn::Load(d, from.abs + lane),   hn::Load(d, from.abs2 + lane), hn::Load(d, from.diff + lane),
                hn::Load(d, from.ref + lane),   hn::Load(d, from.cand + lane), hn::Load(d, from.ref2 + lane),
                hn::Load(d, from.cand2 + lane), hn::Load(d, from.cross + lane)};
    }
};

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#endif // per-target guard
