#pragma once
#include <cstddef>

#include "numerics/float_bits.h"
#include "numerics/reduction.h"
#include "numerics/tensor_core_spec.h"

/// One tensor-core step in integers, as published models describe it and recorded GPU outputs confirm: exact
/// products, no normalisation before the sum, magnitudes truncated on a common grid, one exact integer sum,
/// one rounding. Operands are floats that hold values of the spec's operand format (tf32: any float, the low
/// 13 bits are ignored as by the hardware). The order inside a step does not matter; the grouping along k
/// does.
namespace divdet::numerics {

/// significand * 2^(exponent - fractionBits); significand 0 for zeros.
struct TcTerm {
    std::uint64_t significand;
    int exponent;
    int fractionBits;
    bool negative;
};

/// Precondition: x is finite and exactly representable with this shape.
DIVDET_HD TcTerm tcDecode(float x, OperandShape shape) {
    const std::uint32_t u = bitsOf(x);
    const std::uint32_t field = u >> 23 & 0xFFu;
    std::uint64_t significand = u & 0x7FFFFFu;
    if (field) significand |= 0x800000u;
    TcTerm term{0, 0, shape.fractionBits, (u >> 31) != 0};
    if (significand == 0) return term;
    const int scale = field ? static_cast<int>(field) - 127 : -126; // value = significand 2^(scale - 23)
    const int leading = scale + floorLog2(significand) - 23;
    term.exponent = leading > shape.minExponent ? leading : shape.minExponent;
    const int shift = 23 - shape.fractionBits + (term.exponent - scale);
    term.significand = shift >= 0 ? significand >> shift : significand << -shift;
    return term;
}

/// The exact product, not normalised: its value lies in [1,4) 2^exponent for normal operands.
DIVDET_HD TcTerm tcProduct(float a, float b, OperandShape shape) {
    const TcTerm x = tcDecode(a, shape);
    const TcTerm y = tcDecode(b, shape);
    return {x.significand * y.significand, x.exponent + y.exponent, 2 * shape.fractionBits,
            x.negative != y.negative};
}

/// The term on the grid 2^(eta - bits), magnitude truncated.
DIVDET_HD std::int64_t tcAlign(TcTerm t, int eta, int bits) {
    if (t.significand == 0) return 0; // its exponent means nothing
    const int shift = t.fractionBits + (eta - t.exponent) - bits;
    const std::uint64_t v = shift >= 63 ? 0 : shift >= 0 ? t.significand >> shift : t.significand << -shift;
    return t.negative ? -static_cast<std::int64_t>(v) : static_cast<std::int64_t>(v);
}

/// The operand as the multiplier reads it: tf32 registers lose their low 13 bits first.
DIVDET_HD float tcOperand(float x, const TcSpec& spec) {
    return spec.operand == OperandFormat::tf32 ? floatFromBits(bitsOf(x) & 0xFFFFE000u) : x;
}

/// What infinities and NaNs decide before any arithmetic.
enum class TcSpecial : std::uint8_t { none, plusInf, minusInf, nan };

DIVDET_HD TcSpecial tcSpecial(const float* a, std::size_t strideA, const float* b, std::size_t strideB, int n,
                              float c, const TcSpec& spec) {
    bool nan = isNan(c);
    bool plus = isInf(c) && !isNegative(c);
    bool minus = isInf(c) && isNegative(c);
    for (int i = 0; i < n; ++i) {
        const float x = tcOperand(a[static_cast<std::size_t>(i) * strideA], spec);
        const float y = tcOperand(b[static_cast<std::size_t>(i) * strideB], spec);
        const bool infinite = isInf(x) || isInf(y);
        nan = nan || isNan(x) || isNan(y) || (infinite && (x == 0.0f || y == 0.0f));
        if (infinite && isNegative(x) == isNegative(y)) plus = true;
        if (infinite && isNegative(x) != isNegative(y)) minus = true;
    }
    if (nan || (plus && minus)) return TcSpecial::nan;
    return plus ? TcSpecial::plusInf : minus ? TcSpecial::minusInf : TcSpecial::none;
}

/// sum * 2^grid truncated to `kept` fraction bits. Precondition: sum != 0.
DIVDET_HD float tcTruncate(std::int64_t sum, int grid, int kept) {
    const std::uint32_t sign = sum < 0 ? 0x80000000u : 0u;
    const std::uint64_t magnitude =
        sum < 0 ? static_cast<std::uint64_t>(-sum) : static_cast<std::uint64_t>(sum);
    const int exponent = grid + floorLog2(magnitude);
    if (exponent > 127) return floatFromBits(sign | 0x7F800000u);
    const int quantum = (exponent > -126 ? exponent : -126) - kept;
    const int shift = quantum - grid;
    const std::uint64_t r = shift >= 63 ? 0 : shift >= 0 ? magnitude >> shift : magnitude << -shift;
    const float value = toFloatRn(mulRn(static_cast<double>(r), powerOfTwo(quantum)));
    return floatFromBits(sign | bitsOf(value));
}

/// sum * 2^grid rounded to f16, nearest even, held in a float. Precondition: sum != 0.
DIVDET_HD float tcRoundToF16(std::int64_t sum, int grid) {
    const std::uint32_t sign = sum < 0 ? 0x80000000u : 0u;
    const std::uint64_t magnitude =
        sum < 0 ? static_cast<std::uint64_t>(-sum) : static_cast<std::uint64_t>(sum);
    const int exponent = grid + floorLog2(magnitude);
    const int quantum = (exponent > -14 ? exponent : -14) - 10;
    const int shift = quantum - grid;
    std::uint64_t r = 0;
    if (shift <= 0)
        r = magnitude << -shift;
    else if (shift < 63)
        r = (magnitude + (1ull << (shift - 1)) - 1 + (magnitude >> shift & 1)) >> shift;
    const double value = mulRn(static_cast<double>(r), powerOfTwo(quantum));
    if (value >= 65536.0) return floatFromBits(sign | 0x7F800000u); // 65520 has become 65536 above
    return floatFromBits(sign | bitsOf(toFloatRn(value)));
}

/// One step: c plus n products, elements `strideA` and `strideB` apart; n may be below spec.n at the end of
/// k. c is a float (f16 output: one that holds an f16 value). NaN comes out as 0x7FFFFFFF (f16 output: the
/// value of 0x7FFF, held in the float 0x7FFFE000); a zero sum is +0.
DIVDET_HD float tcStep(const float* a, std::size_t strideA, const float* b, std::size_t strideB, int n,
                       float c, const TcSpec& spec) {
    const bool f16Output = spec.output == TcOutput::f16;
    switch (tcSpecial(a, strideA, b, strideB, n, c, spec)) {
    case TcSpecial::nan:
        return floatFromBits(f16Output ? 0x7FFFE000u : 0x7FFFFFFFu);
    case TcSpecial::plusInf:
        return floatFromBits(0x7F800000u);
    case TcSpecial::minusInf:
        return floatFromBits(0xFF800000u);
    case TcSpecial::none:
        break;
    }
    const OperandShape operand = operandShape(spec.operand);
    const OperandShape accumulator = f16Output ? OperandShape{10, -14} : OperandShape{23, -126};
    const TcTerm start = tcDecode(c, accumulator);
    bool any = start.significand != 0;
    int eta = any && start.exponent > spec.floorExponent ? start.exponent : spec.floorExponent;
    for (int i = 0; i < n; ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const TcTerm p = tcProduct(a[k * strideA], b[k * strideB], operand);
        if (p.significand == 0) continue;
        any = true;
        if (p.exponent > eta) eta = p.exponent;
    }
    if (!any) return 0.0f;
    std::int64_t sum = tcAlign(start, eta, spec.alignBits);
    for (int i = 0; i < n; ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        sum += tcAlign(tcProduct(a[k * strideA], b[k * strideB], operand), eta, spec.alignBits);
    }
    if (sum == 0) return 0.0f;
    const int grid = eta - spec.alignBits;
    if (f16Output) return tcRoundToF16(sum, grid);
    return tcTruncate(sum, grid, spec.output == TcOutput::f32Keep13 ? 13 : 23);
}

/// c plus a dot product of length `count`, in steps of spec.n along increasing k.
DIVDET_HD float tcDot(const float* a, std::size_t strideA, const float* b, std::size_t strideB,
                      std::size_t count, float c, const TcSpec& spec) {
    const std::size_t group = static_cast<std::size_t>(spec.n);
    for (std::size_t k = 0; k < count; k += group) {
        const int n = static_cast<int>(count - k < group ? count - k : group);
        c = tcStep(a + k * strideA, strideA, b + k * strideB, strideB, n, c, spec);
    }
    return c;
}

/// The same with k cut into `splits` contiguous chunks, each a multiple of the instruction's k (the last may
/// be short); chunk 0 starts from c, the others from +0, and the results are added in fp32 one after the
/// other.
DIVDET_HD float tcDotSplit(const float* a, std::size_t strideA, const float* b, std::size_t strideB,
                           std::size_t count, std::size_t splits, float c, const TcSpec& spec) {
    const std::size_t length = chunkLength(count, splits, static_cast<std::size_t>(spec.instructionK));
    if (count == 0) return c;
    float sum = tcDot(a, strideA, b, strideB, length < count ? length : count, c, spec);
    for (std::size_t first = length; first < count; first += length) {
        const std::size_t n = first + length < count ? length : count - first;
        const float part = tcDot(a + first * strideA, strideA, b + first * strideB, strideB, n, 0.0f, spec);
        sum = addRn(sum, part);
    }
    return sum;
}

} // namespace divdet::numerics
