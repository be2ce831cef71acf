#include "host/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/gemm_tensor_core.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "host/panels-inl.h"
#include "host/tc_operands.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::host::tc {
namespace HWY_NAMESPACE {
using namespace divdet::host::HWY_NAMESPACE;
using numerics::TcOutput;
using numerics::TcSpec;

// Why float arithmetic gives the integer step's bits (ranges as in tc_operands.h):
//  * a product of two significands of at most 11 bits is an exact float;
//  * scaling by 2^(F - eta) is exact or yields less than one grid unit, so float-to-int truncation is the
//    truncated alignment; |v| < 2^(F+2), and int32 sums that could overflow raise a flag (see kGroup);
//  * clearing the bits that `m >> 24` marks leaves a number that converts to float without rounding up: with
//  j
//    bits too many, bit j-1 is the top bit of m >> 24, so what conversion drops is below one half;
//  * c is at least one grid unit of an eta >= -60, hence normal.
struct Kernel : Problem {
    static constexpr std::size_t kRows = 2;
    static constexpr std::size_t kGroup = 8; ///< products whose sum is below 2^31 for every F <= 25

    struct Panel {
        const float* value;
        const std::int32_t* exponent;
        Range range;
    };

    Panel pack(PanelRange columns) const {
        float* value = scratchOf<float>(0, k * kPanel);
        std::int32_t* exponent = scratchOf<std::int32_t>(1, k * kPanel);
        Range range;
        packColumns(b, n, k, columns, value);
        for (std::size_t i = 0; i < k * kPanel; ++i) {
            value[i] = prepare(value[i], spec.operand, exponent[i], range);
        }
        return {value, exponent, range};
    }

    /// 2^(eta - F) |T| to the output format, T in int32.
    HWY_INLINE Floats rounded(Ints total, Ints etaField) const {
        const Ints sign = hn::And(total, hn::Set(kI, static_cast<std::int32_t>(0x80000000u)));
        const Ints magnitude = hn::Abs(total);
        const Ints kept = hn::AndNot(hn::ShiftRight<24>(magnitude), magnitude);
        const Ints unit = hn::ShiftLeft<23>(hn::Sub(etaField, hn::Set(kI, spec.alignBits)));
        Ints bits = hn::BitCast(kI, hn::ConvertTo(kF, kept));
        if (spec.output == TcOutput::f16) {
            // Round to odd: a dropped bit lives on in the lowest one, so the second rounding sees it.
            const auto inexact = hn::Ne(truncated(hn::BitCast(kF, bits)), magnitude);
            bits = hn::IfThenElse(inexact, hn::Or(bits, hn::Set(kI, 1)), bits);
        }
        Floats value = hn::Mul(hn::BitCast(kF, bits), hn::BitCast(kF, unit));
        if (spec.output == TcOutput::f16) value = roundedToF16(value);
        if (spec.output == TcOutput::f32Keep13) {
            value = hn::And(value, hn::BitCast(kF, hn::Set(kI, static_cast<std::int32_t>(0xFFFFFC00u))));
        }
        return hn::Or(value, hn::BitCast(kF, sign));
    }

    /// The exponent field with which c enters eta; zero must not count.
    HWY_INLINE Ints startField(Floats c) const {
        const Ints magnitude = hn::And(hn::BitCast(kI, c), hn::Set(kI, 0x7FFFFFFF));
        const Ints field = hn::ShiftRight<23>(magnitude);
        if (spec.output != TcOutput::f16) return field;
        const Ints least = hn::Max(field, hn::Set(kI, 127 - 14)); // f16 subnormals keep the smallest exponent
        return hn::IfThenZeroElse(hn::Eq(magnitude, hn::Zero(kI)), least);
    }

    /// One step of n products for kCount rows of a panel. kFlag: watch for int32 overflow. The sign bit of
    /// `overflow` tells.
    template <std::size_t kCount, bool kFlag>
    HWY_INLINE void step(std::size_t row, const Panel& panel, std::size_t begin, std::size_t end,
                         Tile<kCount>& c, Ints& overflow) const {
        const std::int32_t floorField = (spec.floorExponent > -90 ? spec.floorExponent : -90) + 127;
        Ints eta[kCount][kVectors];
        Ints total[kCount][kVectors];
        Floats scale[kCount][kVectors];
        DIVDET_FOR_TILE(r, v, kCount) eta[r][v] = hn::Max(startField(c.at[r][v]), hn::Set(kI, floorField));
        for (std::size_t i = begin; i < end; ++i) {
            DIVDET_UNROLL(4) for (std::size_t v = 0; v < kVectors; ++v) {
                const Ints e = hn::Load(kI, panel.exponent + i * kPanel + v * kLaneCount);
                DIVDET_UNROLL(4) for (std::size_t r = 0; r < kCount; ++r) {
                    const Ints x = hn::Set(kI, aExponent[(row + r) * k + i]);
                    eta[r][v] = hn::Max(eta[r][v], hn::Add(x, e));
                }
            }
        }
        DIVDET_FOR_TILE(r, v, kCount) {
            scale[r][v] =
                hn::BitCast(kF, hn::ShiftLeft<23>(hn::Sub(hn::Set(kI, 254 + spec.alignBits), eta[r][v])));
            total[r][v] = truncated(hn::Mul(c.at[r][v], scale[r][v]));
        }
        for (std::size_t first = begin; first < end; first += kGroup) {
            const std::size_t last = first + kGroup < end ? first + kGroup : end;
            Ints part[kCount][kVectors];
            DIVDET_FOR_TILE(r, v, kCount) part[r][v] = kFlag ? hn::Zero(kI) : total[r][v];
            for (std::size_t i = first; i < last; ++i) {
                DIVDET_UNROLL(4) for (std::size_t v = 0; v < kVectors; ++v) {
                    const Floats y = hn::Load(kF, panel.value + i * kPanel + v * kLaneCount);
                    DIVDET_UNROLL(4) for (std::size_t r = 0; r < kCount; ++r) {
                        const Floats product = hn::Mul(hn::Set(kF, aValue[(row + r) * k + i]), y);
                        part[r][v] = hn::Add(part[r][v], truncated(hn::Mul(product, scale[r][v])));
                    }
                }
            }
            DIVDET_FOR_TILE(r, v, kCount) {
                if constexpr (kFlag) {
                    const Ints sum = hn::Add(total[r][v], part[r][v]);
                    const Ints wrapped = hn::And(hn::Xor(total[r][v], sum), hn::Xor(part[r][v], sum));
                    overflow = hn::Or(overflow, wrapped); // the sign bit tells
                    total[r][v] = sum;
                } else {
                    total[r][v] = part[r][v];
                }
            }
        }
        DIVDET_FOR_TILE(r, v, kCount) c.at[r][v] = rounded(total[r][v], eta[r][v]);
        if (spec.output != TcOutput::f16) return;
        // An fp16 accumulator may have become infinite, which the next step cannot align.
        DIVDET_FOR_TILE(r, v, kCount) {
            const Ints magnitude = hn::And(hn::BitCast(kI, c.at[r][v]), hn::Set(kI, 0x7FFFFFFF));
            overflow = hn::Or(overflow, hn::Sub(hn::Set(kI, 0x7F7FFFFF), magnitude)); // negative for infinity
        }
    }

    /// Steps over [first, last) on the tile c. Not inlined: one copy per tile height keeps compilation short.
    template <std::size_t kCount, bool kFlag>
    HWY_NOINLINE void dot(std::size_t row, const Panel& panel, std::size_t first, std::size_t last,
                          Tile<kCount>& tile, Ints& overflow) const {
        const std::size_t group = static_cast<std::size_t>(spec.n);
        Tile<kCount> c = tile;
        for (std::size_t i = first; i < last; i += group) {
            step<kCount, kFlag>(row, panel, i, i + group < last ? i + group : last, c, overflow);
        }
        tile = c;
    }

    /// False when an int32 sum may have wrapped or an fp16 accumulator overflowed: the caller then takes the
    /// scalar step.
    template <std::size_t kCount, bool kFlag>
    HWY_INLINE bool fast(std::size_t row, const Panel& panel, const float* start, float* out) const {
        Ints overflow = hn::Zero(kI);
        Tile<kCount> sum = loadTile<kCount>(start);
        dot<kCount, kFlag>(row, panel, 0, chunk < k ? chunk : k, sum, overflow);
        for (std::size_t first = chunk; first < k; first += chunk) {
            Tile<kCount> part = zeroTile<kCount>();
            dot<kCount, kFlag>(row, panel, first, first + chunk < k ? first + chunk : k, part, overflow);
            sum = addTiles(sum, part);
        }
        storeTile(sum, out);
        return hn::AllFalse(kI, hn::Lt(overflow, hn::Zero(kI)));
    }

    template <std::size_t kCount>
    HWY_INLINE void run(std::size_t row, const Panel& panel, PanelRange columns, const float* start,
                        float* out) const {
        bool exact = true;
        for (std::size_t r = 0; r < kCount; ++r) exact = exact && fastTogether(aRange[row + r], panel.range);
        for (std::size_t i = 0; i < kCount * kPanel; ++i) exact = exact && fastStart(start[i]);
        const std::int64_t largest = (static_cast<std::int64_t>(4 * spec.n) + 2) << spec.alignBits;
        const bool mayWrap = largest > 0x7FFFFFFF;
        if (exact)
            exact = mayWrap ? fast<kCount, true>(row, panel, start, out)
                            : fast<kCount, false>(row, panel, start, out);
        if (exact) return;
        for (std::size_t r = 0; r < kCount; ++r) {
            for (std::size_t j = 0; j < columns.width; ++j) {
                out[r * kPanel + j] = numerics::tcDotSplit(a + (row + r) * k, 1, panel.value + j, kPanel, k,
                                                           splits, start[r * kPanel + j], spec);
            }
        }
    }
};

void gemm(const Problem& p, Start start, float* c) {
    runPanels(Kernel{p}, GemmShape{p.m, p.n, p.k}, start, c);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::host::tc
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::host {
namespace tc {
HWY_EXPORT(gemm);
static auto chosen() {
    return HWY_DYNAMIC_DISPATCH(gemm);
}
} // namespace tc

void gemmTensorCore(GemmShape shape, const float* a, const float* b, Start start, float* c,
                    const numerics::TcSpec& spec, std::size_t splits) {
    const Buffer values(shape.m * shape.k * sizeof(float));
    const Buffer exponents(shape.m * shape.k * sizeof(std::int32_t));
    const Buffer ranges(shape.m * sizeof(tc::Range));
    float* value = values.as<float>();
    std::int32_t* exponent = exponents.as<std::int32_t>();
    tc::Range* range = ranges.as<tc::Range>();
    forEachTask(shape.m, [&](std::size_t row) {
        range[row] = {};
        for (std::size_t i = row * shape.k; i < (row + 1) * shape.k; ++i) {
            value[i] = tc::prepare(a[i], spec.operand, exponent[i], range[row]);
            exponent[i] += 127;
        }
    });
    const std::size_t chunk =
        numerics::chunkLength(shape.k, splits, static_cast<std::size_t>(spec.instructionK));
    tc::chosen()({shape.m, shape.n, shape.k, a, b, value, exponent, range, spec, splits, chunk}, start, c);
}

} // namespace divdet::host
#endif
