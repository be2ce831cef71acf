#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/filter_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

/// Entry of a table of 32 per lane.
template <class D, class VI>
HWY_INLINE hn::Vec<D> lookUp(D d, const hn::TFromD<D>* table, VI index) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (std::is_same_v<hn::TFromD<D>, float>)
        return hn::Vec<D>{
            _mm512_permutex2var_ps(hn::Load(d, table).raw, index.raw, hn::Load(d, table + 16).raw)};
#endif
    return hn::GatherIndex(d, table, index);
}

template <class T>
HWY_INLINE void filterAny(const T* c, const T* r, int n, const FilterTable<T>& table, Survivors<T>& out,
                          FilterFacts& facts) {
    const hn::ScalableTag<T> d;
    const hn::RebindToSigned<decltype(d)> di;
    using TI = hn::TFromD<decltype(di)>;
    constexpr int kFraction = sizeof(T) == 4 ? 23 : 52;
    // A product in the subnormal range may be rounded up by half of the smallest number. A normal number
    // gives way by more than that: with a subnormal operand each fma is a microcode assist of some 150
    // cycles.
    constexpr T kTiny = sizeof(T) == 4 ? static_cast<T>(0x1p-110) : static_cast<T>(0x1p-1000);
    const auto tiny = hn::Set(d, kTiny);
    const auto lowest = hn::Set(di, static_cast<TI>(table.first));
    const auto highest = hn::Set(di, static_cast<TI>(table.first + FilterTable<T>::kOctaves - 1));
    const auto largest = hn::Set(d, std::numeric_limits<T>::max());
    auto maxM = hn::Zero(d), minM = hn::Set(d, std::numeric_limits<T>::infinity());
    std::int64_t equal = 0;
    bool special = false;
    int count = 0;
    forPairs(d, c, r, n, [&](int i, auto vc, auto vr, auto valid) HWY_ATTR {
        const auto e = hn::Abs(hn::Sub(vc, vr)), m = hn::Abs(vr);
        const auto octave =
            hn::Sub(hn::Min(hn::Max(hn::ShiftRight<kFraction>(hn::BitCast(di, m)), lowest), highest), lowest);
        const auto ray = hn::MulSub(lookUp(d, table.slope, octave), m, tiny);
        const auto ruled = hn::Le(e, hn::Max(lookUp(d, table.flat, octave), ray));
        equal += static_cast<std::int64_t>(hn::CountTrue(d, valid(hn::Eq(vc, vr))));
        maxM = hn::Max(maxM, m);
        const auto inside = valid(hn::Eq(tiny, tiny));
        minM = hn::Min(minM, hn::IfThenElse(inside, m, minM));
        if (HWY_LIKELY(hn::AllTrue(d, ruled))) return;
        const auto survives = hn::And(hn::Not(ruled), inside);
        special = special || !hn::AllTrue(d, hn::Or(hn::Le(e, largest), hn::Not(survives)));
        const auto index = hn::Add(hn::Iota(di, 0), hn::Set(di, static_cast<TI>(i)));
        hn::CompressStore(vc, survives, d, out.candidate + count);
        const auto kept = hn::CompressStore(vr, survives, d, out.reference + count);
        if constexpr (sizeof(T) == 4) {
            hn::CompressStore(index, hn::RebindMask(di, survives), di, out.index + count);
        } else {
            HWY_ALIGN TI where[HWY_LANES(TI)];
            hn::CompressStore(index, hn::RebindMask(di, survives), di, where);
            for (std::size_t k = 0; k < kept; ++k)
                out.index[static_cast<std::size_t>(count) + k] = static_cast<std::int32_t>(where[k]);
        }
        count += static_cast<int>(kept);
    });
    out.count = count;
    facts.equal = equal;
    facts.special = special;
    facts.maxMagnitude = static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, maxM)));
    facts.minMagnitude = static_cast<double>(hn::GetLane(hn::MinOfLanes(d, minM)));
}

void filterF32(const float* c, const float* r, int n, const FilterTable<float>& table, Survivors<float>& out,
               FilterFacts& facts) {
    filterAny(c, r, n, table, out, facts);
}
void filterF64(const double* c, const double* r, int n, const FilterTable<double>& table,
               Survivors<double>& out, FilterFacts& facts) {
    filterAny(c, r, n, table, out, facts);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::kernels {
HWY_EXPORT(filterF32);
HWY_EXPORT(filterF64);

void filterPairs(const float* c, const float* r, int n, const FilterTable<float>& table,
                 Survivors<float>& survivors, FilterFacts& facts) {
    HWY_DYNAMIC_DISPATCH(filterF32)(c, r, n, table, survivors, facts);
}
void filterPairs(const double* c, const double* r, int n, const FilterTable<double>& table,
                 Survivors<double>& survivors, FilterFacts& facts) {
    HWY_DYNAMIC_DISPATCH(filterF64)(c, r, n, table, survivors, facts);
}

} // namespace divdet::kernels
#endif
