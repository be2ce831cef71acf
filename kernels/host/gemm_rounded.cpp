#include "host/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/gemm_rounded.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "host/panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::host::rounded {
namespace HWY_NAMESPACE {
using namespace divdet::host::HWY_NAMESPACE;

template <AccFormat kFormat, bool kNanSafe>
HWY_INLINE Floats roundedTo(Floats x) {
    if constexpr (kFormat == AccFormat::f16)
        return roundedToF16(x);
    else
        return roundedToBf16<kNanSafe>(x);
}

template <class From, AccFormat kFormat, bool kNanSafe>
struct Kernel {
    static constexpr std::size_t kRows = 4;

    GemmShape shape;
    const float* a;
    const From* b;

    using Panel = const float*;
    Panel pack(PanelRange range) const {
        float* panel = scratchOf<float>(0, shape.k * kPanel);
        packColumns(b, shape.n, shape.k, range, panel);
        return panel;
    }

    template <std::size_t kCount>
    HWY_INLINE void run(std::size_t row, Panel panel, PanelRange, const float* start, float* out) const {
        Tile<kCount> acc = loadTile<kCount>(start);
        const float* from = a + row * shape.k;
        for (std::size_t k = 0; k < shape.k; ++k) {
            Floats y[kVectors];
            DIVDET_UNROLL(4)
            for (std::size_t v = 0; v < kVectors; ++v)
                y[v] = hn::Load(kF, panel + k * kPanel + v * kLaneCount);
            DIVDET_UNROLL(4) for (std::size_t r = 0; r < kCount; ++r) {
                const Floats x = hn::Set(kF, from[r * shape.k + k]);
                DIVDET_UNROLL(4) for (std::size_t v = 0; v < kVectors; ++v) {
                    acc.at[r][v] = roundedTo<kFormat, kNanSafe>(fused(x, y[v], acc.at[r][v]));
                }
            }
        }
        storeTile(acc, out);
    }
};

template <class From>
HWY_INLINE void gemm(GemmShape s, const float* a, const From* b, Start start, float* c, AccFormat format,
                     bool finite) {
    if (format == AccFormat::f16)
        runPanels(Kernel<From, AccFormat::f16, true>{s, a, b}, s, start, c);
    else if (finite)
        runPanels(Kernel<From, AccFormat::bf16, false>{s, a, b}, s, start, c);
    else
        runPanels(Kernel<From, AccFormat::bf16, true>{s, a, b}, s, start, c);
}

void gemmFloat(GemmShape s, const float* a, const float* b, Start start, float* c, AccFormat format,
               bool finite) {
    gemm(s, a, b, start, c, format, finite);
}

void gemmInt(GemmShape s, const float* a, const std::int8_t* b, float* c, AccFormat format) {
    gemm(s, a, b, Start{}, c, format, true);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::host::rounded
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::host {
namespace rounded {

HWY_EXPORT(gemmFloat);
HWY_EXPORT(gemmInt);
static auto chosenFloat() {
    return HWY_DYNAMIC_DISPATCH(gemmFloat);
}
static auto chosenInt() {
    return HWY_DYNAMIC_DISPATCH(gemmInt);
}

/// Finite inputs cannot make a NaN whose payload the fast bf16 rounding would carry away.
static bool allFinite(const float* x, std::size_t n) {
    std::uint32_t special = 0;
    for (std::size_t i = 0; i < n; ++i) special |= (numerics::bitsOf(x[i]) & 0x7F800000u) == 0x7F800000u;
    return special == 0;
}

} // namespace rounded

void gemmRoundedAccumulator(GemmShape s, const float* a, const float* b, Start start, float* c,
                            AccFormat format) {
    const std::size_t starts = start.perColumn ? s.n : s.m * s.n;
    const bool finite = rounded::allFinite(a, s.m * s.k) && rounded::allFinite(b, s.k * s.n) &&
                        (!start.values || rounded::allFinite(start.values, starts));
    rounded::chosenFloat()(s, a, b, start, c, format, finite);
}

void gemmInt8RoundedAccumulator(GemmShape s, const std::int8_t* a, const std::int8_t* b, float* c,
                                AccFormat format) {
    const Buffer values(s.m * s.k * sizeof(float));
    float* value = values.as<float>();
    for (std::size_t i = 0; i < s.m * s.k; ++i) value[i] = static_cast<float>(a[i]);
    rounded::chosenInt()(s, value, b, c, format);
}

float roundedDot(const float* a, std::size_t strideA, const float* b, std::size_t strideB, std::size_t k,
                 float start, AccFormat format) {
    float acc = start;
    for (std::size_t i = 0; i < k; ++i) {
        acc = numerics::fmaRn(a[i * strideA], b[i * strideB], acc);
        acc = format == AccFormat::f16 ? numerics::roundToF16(acc) : numerics::roundToBf16(acc);
    }
    return acc;
}

} // namespace divdet::host
#endif
