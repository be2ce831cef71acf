#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/kinds_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE void countAny(const T* c, const T* r, int n, T normalC, T normalR, KindCounts& out) {
    const hn::ScalableTag<T> d;
    const auto zero = hn::Zero(d), infinity = hn::Set(d, std::numeric_limits<T>::infinity());
    const auto leastC = hn::Set(d, normalC), leastR = hn::Set(d, normalR);
    auto maxM = zero, minM = infinity;
    forPairs(d, c, r, n, [&](int, auto vc, auto vr, auto valid) HWY_ATTR {
        const auto count = [&](std::int64_t& total, auto mask)
                               HWY_ATTR { total += static_cast<std::int64_t>(hn::CountTrue(d, mask)); };
        const auto m = hn::Abs(vr), a = hn::Abs(vc);
        const auto bothFinite = valid(hn::And(hn::Lt(a, infinity), hn::Lt(m, infinity)));
        // Differences of floats are finite in double; those of doubles may overflow.
        auto finite = bothFinite;
        if constexpr (sizeof(T) == 8)
            finite = hn::And(bothFinite, hn::Lt(hn::Abs(hn::Sub(vc, vr)), infinity));
        const auto same = valid(hn::Eq(vc, vr));
        const auto nanC = valid(hn::Not(hn::Eq(vc, vc))), nanR = valid(hn::Not(hn::Eq(vr, vr)));
        const auto infC = valid(hn::Eq(a, infinity)), infR = valid(hn::Eq(m, infinity));
        const auto zeroC = valid(hn::Eq(vc, zero)), zeroR = valid(hn::Eq(vr, zero));
        const auto zeroBoth = hn::And(zeroC, zeroR);
        const auto bothNan = hn::And(nanC, nanR);
        count(out.finite, finite);
        count(out.equal, same);
        count(out.infiniteRel, hn::AndNot(zeroC, hn::And(finite, zeroR)));
        count(out.above, hn::And(finite, hn::Gt(vc, vr)));
        count(out.below, hn::And(finite, hn::Lt(vc, vr)));
        count(out.nanC, nanC);
        count(out.nanR, nanR);
        count(out.nanBoth, bothNan);
        count(out.infC, infC);
        count(out.infR, infR);
        count(out.infBoth, hn::And(infC, same));
        count(out.zeroC, zeroC);
        count(out.zeroR, zeroR);
        count(out.zeroBoth, zeroBoth);
        const hn::RebindToSigned<decltype(d)> di;
        const auto signs = hn::Xor(hn::BitCast(di, vc), hn::BitCast(di, vr));
        count(out.signedZero, hn::And(zeroBoth, hn::RebindMask(d, hn::Lt(signs, hn::Zero(di)))));
        const auto subC = hn::AndNot(zeroC, valid(hn::Lt(a, leastC)));
        const auto subR = hn::AndNot(zeroR, valid(hn::Lt(m, leastR)));
        count(out.subnormalC, subC);
        count(out.subnormalR, subR);
        count(out.subnormalBoth, hn::And(subC, subR));
        count(out.overflowed, hn::AndNot(finite, bothFinite));
        count(out.never, hn::AndNot(hn::Or(hn::Or(finite, same), bothNan), valid(hn::Eq(zero, zero))));
        const auto finiteR = valid(hn::Lt(m, infinity));
        count(out.finiteReference, finiteR);
        maxM = hn::Max(maxM, hn::IfThenElseZero(finiteR, m));
        minM = hn::Min(minM, hn::IfThenElse(hn::AndNot(zeroR, finiteR), m, infinity));
    });
    out.maxMagnitude = static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, maxM)));
    out.minMagnitude = static_cast<double>(hn::GetLane(hn::MinOfLanes(d, minM)));
}

template <class T>
HWY_INLINE void signsAny(const T* c, const T* r, int n, SignCounts& out) {
    const hn::ScalableTag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    // Four chains of minima, or each waits for the one before.
    constexpr int kChains = 4;
    auto least = hn::Set(d, std::numeric_limits<T>::infinity());
    auto l0 = least, l1 = least, l2 = least, l3 = least;
    std::int64_t above = 0;
    const auto look = [&](int at, auto& chain) HWY_ATTR {
        const auto vc = hn::LoadU(d, c + at);
        above += static_cast<std::int64_t>(hn::CountTrue(d, hn::Gt(vc, hn::LoadU(d, r + at))));
        chain = hn::Min(chain, hn::Abs(vc));
    };
    int i = 0;
    for (; i + kChains * lanes <= n; i += kChains * lanes) {
        look(i, l0);
        look(i + lanes, l1);
        look(i + 2 * lanes, l2);
        look(i + 3 * lanes, l3);
    }
    least = hn::Min(hn::Min(l0, l1), hn::Min(l2, l3));
    forPairs(d, c + i, r + i, n - i, [&](int, auto vc, auto vr, auto valid) HWY_ATTR {
        above += static_cast<std::int64_t>(hn::CountTrue(d, valid(hn::Gt(vc, vr))));
        least = hn::Min(least, hn::IfThenElse(valid(hn::Eq(least, least)), hn::Abs(vc), least));
    });
    out.above = above;
    out.minCandidate = static_cast<double>(hn::GetLane(hn::MinOfLanes(d, least)));
}

void kindsF32(const float* c, const float* r, int n, float normalC, float normalR, KindCounts& counts) {
    countAny(c, r, n, normalC, normalR, counts);
}
void kindsF64(const double* c, const double* r, int n, double normalC, double normalR, KindCounts& counts) {
    countAny(c, r, n, normalC, normalR, counts);
}
void signsF32(const float* c, const float* r, int n, SignCounts& counts) {
    signsAny(c, r, n, counts);
}
void signsF64(const double* c, const double* r, int n, SignCounts& counts) {
    signsAny(c, r, n, counts);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::kernels {
HWY_EXPORT(kindsF32);
HWY_EXPORT(kindsF64);
HWY_EXPORT(signsF32);
HWY_EXPORT(signsF64);

void countKinds(const float* c, const float* r, int n, float normalC, float normalR, KindCounts& counts) {
    HWY_DYNAMIC_DISPATCH(kindsF32)(c, r, n, normalC, normalR, counts);
}
void countKinds(const double* c, const double* r, int n, double normalC, double normalR, KindCounts& counts) {
    HWY_DYNAMIC_DISPATCH(kindsF64)(c, r, n, normalC, normalR, counts);
}
void countSigns(const float* c, const float* r, int n, SignCounts& counts) {
    HWY_DYNAMIC_DISPATCH(signsF32)(c, r, n, counts);
}
void countSigns(const double* c, const double* r, int n, SignCounts& counts) {
    HWY_DYNAMIC_DISPATCH(signsF64)(c, r, n, counts);
}

} // namespace divdet::kernels
#endif
