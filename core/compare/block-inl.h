// Per-target include guard: this file is compiled once for every instruction set.
#if defined(DIVDET_COMPARE_BLOCK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DIVDET_COMPARE_BLOCK_INL_H
#undef DIVDET_COMPARE_BLOCK_INL_H
#else
#define DIVDET_COMPARE_BLOCK_INL_H
#endif

#include <cstddef>
#include <cstring>

#include <hwy/highway.h>

#include "compare/block_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Calls step(index, candidates, references, valid) per vector of n pairs; valid(mask) leaves out the lanes
/// behind the end, which hold zeros.
template <class D, class Step>
HWY_INLINE void forPairs(D d, const hn::TFromD<D>* c, const hn::TFromD<D>* r, int n, const Step& step) {
    using T = hn::TFromD<D>;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= n; i += lanes)
        step(i, hn::LoadU(d, c + i), hn::LoadU(d, r + i), [](auto mask) HWY_ATTR { return mask; });
    if (i >= n) return;
    const auto rest = static_cast<std::size_t>(n - i);
    HWY_ALIGN T lastC[HWY_LANES(T)] = {}, lastR[HWY_LANES(T)] = {};
    std::memcpy(lastC, reinterpret_cast<const char*>(c) + static_cast<std::size_t>(i) * sizeof(T),
                rest * sizeof(T));
    std::memcpy(lastR, reinterpret_cast<const char*>(r) + static_cast<std::size_t>(i) * sizeof(T),
                rest * sizeof(T));
    const auto inside = hn::FirstN(d, rest);
    step(i, hn::Load(d, lastC), hn::Load(d, lastR),
         [inside](auto mask) HWY_ATTR { return hn::And(mask, inside); });
}

/// The part of a coming block's `bytes` that is due with the pairs [at, at + count) of this one.
HWY_INLINE void fetch(const std::byte* from, std::size_t bytes, int at, int count) {
    constexpr std::size_t kLine = 64;
    if (!from) return;
    const std::size_t begin = bytes / kBlock * static_cast<std::size_t>(at),
                      end = bytes / kBlock * static_cast<std::size_t>(at + count);
    for (std::size_t i = begin; i < end; i += kLine) __builtin_prefetch(from + i, 0, 2);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#endif // per-target guard
