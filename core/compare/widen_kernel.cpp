#include "compare/block_kernels.h"
#include "compare/block_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compare/widen_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "compare/block-inl.h"
#include "numerics/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::kernels {
namespace HWY_NAMESPACE {

using DF = hn::ScalableTag<float>;

template <class Vector, class Scalar>
HWY_INLINE void widen(const void* from, int n, float* to, const Vector& vector, const Scalar& scalar) {
    const DF df;
    const hn::Rebind<std::uint16_t, DF> half;
    const int lanes = static_cast<int>(hn::Lanes(df));
    const char* p = static_cast<const char*>(from);
    int i = 0;
    for (; i + lanes <= n; i += lanes)
        hn::StoreU(vector(hn::LoadU(half, reinterpret_cast<const std::uint16_t*>(p + 2 * i))), df, to + i);
    for (; i < n; ++i) {
        std::uint16_t code;
        std::memcpy(&code, p + 2 * i, sizeof code);
        to[i] = scalar(code);
    }
}

void bf16ToF32(const void* from, int n, float* to) {
    widen(
        from, n, to,
        [](auto codes) HWY_ATTR {
            const hn::RebindToUnsigned<DF> du;
            return hn::BitCast(DF(), hn::ShiftLeft<16>(hn::PromoteTo(du, codes)));
        },
        [](std::uint16_t code) { return numerics::bf16ToFloat(code); });
}

void f16ToF32(const void* from, int n, float* to) {
    widen(
        from, n, to,
        [](auto codes) HWY_ATTR {
            const DF df;
#if HWY_NATIVE_FMA // comes with the conversion instruction
            const hn::Rebind<hwy::float16_t, DF> half;
            return hn::PromoteTo(df, hn::BitCast(half, codes));
#else
            const hn::RebindToUnsigned<DF> du;
            const auto x = hn::PromoteTo(du, codes);
            const auto magnitude = hn::ShiftLeft<13>(hn::And(x, hn::Set(du, 0x7FFFu)));
            const auto sign = hn::ShiftLeft<16>(hn::And(x, hn::Set(du, 0x8000u)));
            const auto scaled = hn::Mul(hn::BitCast(df, magnitude), hn::Set(df, 0x1p112f));
            const auto special = hn::BitCast(df, hn::Or(magnitude, hn::Set(du, 0x7F800000u)));
            const auto finite = hn::RebindMask(df, hn::Lt(magnitude, hn::Set(du, 0x7C00u << 13)));
            return hn::Or(hn::IfThenElse(finite, scaled, special), hn::BitCast(df, sign));
#endif
        },
        [](std::uint16_t code) { return numerics::f16ToFloat(code); });
}

} // namespace HWY_NAMESPACE
} // namespace divdet::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::kernels {
HWY_EXPORT(bf16ToF32);
HWY_EXPORT(f16ToF32);

void widenBf16(const void* from, int n, float* to) {
    HWY_DYNAMIC_DISPATCH(bf16ToF32)(from, n, to);
}
void widenF16(const void* from, int n, float* to) {
    HWY_DYNAMIC_DISPATCH(f16ToF32)(from, n, to);
}

} // namespace divdet::kernels
#endif
