#include "host/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/gemm_int8.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "host/gemm_int8_vnni.h"
#include "host/panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::host::int8 {
namespace HWY_NAMESPACE {
using namespace divdet::host::HWY_NAMESPACE;

/// acc + x_0 y_0 + x_1 y_1 modulo 2^32, where each int32 lane holds two int16 operands.
HWY_INLINE Ints addPairs(Ints acc, Ints x, Ints y) {
#if HWY_TARGET == HWY_AVX2
    return hn::Add(acc, Ints{_mm256_madd_epi16(x.raw, y.raw)});
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    return hn::Add(acc, Ints{_mm512_madd_epi16(x.raw, y.raw)});
#else
    const Ints low =
        hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(x)), hn::ShiftRight<16>(hn::ShiftLeft<16>(y)));
    return hn::Add(acc, hn::Add(low, hn::Mul(hn::ShiftRight<16>(x), hn::ShiftRight<16>(y))));
#endif
}

struct Kernel {
    static constexpr std::size_t kRows = 4;

    GemmShape shape;
    const std::int32_t* aPairs; ///< m rows of pairs()
    const std::int8_t* b;

    std::size_t pairs() const { return (shape.k + 1) / 2; }

    using Panel = const std::int32_t*;
    Panel pack(PanelRange range) const {
        std::int32_t* panel = scratchOf<std::int32_t>(0, pairs() * kPanel);
        for (std::size_t p = 0; p < pairs(); ++p) {
            const std::int8_t* even = b + 2 * p * shape.n + range.column;
            const std::int8_t* odd = 2 * p + 1 < shape.k ? even + shape.n : nullptr;
            for (std::size_t j = 0; j < kPanel; ++j) {
                const bool in = j < range.width;
                panel[p * kPanel + j] =
                    pairOf(in ? even[j] : std::int8_t{0}, in && odd ? odd[j] : std::int8_t{0});
            }
        }
        return panel;
    }

    template <std::size_t kCount>
    HWY_INLINE void run(std::size_t row, Panel panel, PanelRange, const std::int32_t*,
                        std::int32_t* out) const {
        Ints acc[kCount][kVectors];
        DIVDET_FOR_TILE(r, v, kCount) acc[r][v] = hn::Zero(kI);
        for (std::size_t p = 0; p < pairs(); ++p) {
            Ints y[kVectors];
            DIVDET_UNROLL(4)
            for (std::size_t v = 0; v < kVectors; ++v)
                y[v] = hn::Load(kI, panel + p * kPanel + v * kLaneCount);
            DIVDET_UNROLL(4) for (std::size_t r = 0; r < kCount; ++r) {
                const Ints x = hn::Set(kI, aPairs[(row + r) * pairs() + p]);
                DIVDET_UNROLL(4)
                for (std::size_t v = 0; v < kVectors; ++v) acc[r][v] = addPairs(acc[r][v], x, y[v]);
            }
        }
        DIVDET_FOR_TILE(r, v, kCount) hn::Store(acc[r][v], kI, out + r * kPanel + v * kLaneCount);
    }
};

void gemm(GemmShape shape, const std::int32_t* aPairs, const std::int8_t* b, std::int32_t* c) {
    runPanels(Kernel{shape, aPairs, b}, shape, Start{}, c);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::host::int8
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::host {
namespace int8 {
HWY_EXPORT(gemm);
static auto chosen() {
    return HWY_DYNAMIC_DISPATCH(gemm);
}
} // namespace int8

void gemmInt8(GemmShape s, const std::int8_t* a, const std::int8_t* b, std::int32_t* c) {
    if (int8::gemmVnni(s, a, b, c)) return;
    const std::size_t pairs = (s.k + 1) / 2;
    const Buffer buffer(s.m * pairs * sizeof(std::int32_t));
    std::int32_t* aPairs = buffer.as<std::int32_t>();
    for (std::size_t row = 0; row < s.m; ++row) {
        const std::int8_t* from = a + row * s.k;
        for (std::size_t p = 0; p < pairs; ++p) {
            aPairs[row * pairs + p] =
                int8::pairOf(from[2 * p], 2 * p + 1 < s.k ? from[2 * p + 1] : std::int8_t{0});
        }
    }
    int8::chosen()(s, aPairs, b, c);
}

} // namespace divdet::host
#endif
