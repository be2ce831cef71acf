#pragma once
#include "numerics/float_bits.h"

/// Conversions between float, double and the narrow formats. Every narrowing rounds once, to nearest even,
/// keeps subnormals, and turns what is beyond the largest finite value into an infinity (f8e4m3, which has
/// none: NaN). A NaN becomes the format's quiet NaN with the input's sign; payloads are not kept.
namespace divdet::numerics {

/// A narrow binary format: `fractionBits` stored bits, smallest normal exponent `minExponent`.
struct NarrowFormat {
    int fractionBits;
    int minExponent;
    std::uint32_t overflowCode; ///< first code that is no longer finite; what an overflow becomes
    std::uint32_t nanCode;
    int signShift; ///< position of the sign bit
};

DIVDET_HD_CONSTEXPR NarrowFormat f16Format() {
    return {10, -14, 0x7C00, 0x7E00, 15};
}
DIVDET_HD_CONSTEXPR NarrowFormat bf16Format() {
    return {7, -126, 0x7F80, 0x7FC0, 15};
}
DIVDET_HD_CONSTEXPR NarrowFormat f8e4m3Format() {
    return {3, -6, 0x7F, 0x7F, 7};
}
DIVDET_HD_CONSTEXPR NarrowFormat f8e5m2Format() {
    return {2, -14, 0x7C, 0x7E, 7};
}

/// The code of x in format f. Works on the significand as an integer: the exponent field and the fraction of
/// a code are adjacent, so a carry out of the fraction steps to the next exponent by itself.
DIVDET_HD std::uint32_t encodeNarrow(double x, NarrowFormat f) {
    const std::uint64_t u = bitsOf(x);
    const std::uint32_t sign = static_cast<std::uint32_t>(u >> 63) << f.signShift;
    const std::uint64_t magnitude = u & 0x7FFFFFFFFFFFFFFFull;
    if (magnitude > 0x7FF0000000000000ull) return sign | f.nanCode;
    if (magnitude == 0x7FF0000000000000ull) return sign | f.overflowCode;
    const int exponent = static_cast<int>(magnitude >> 52) - 1023;
    if (exponent < f.minExponent - f.fractionBits - 1) return sign; // below half of the smallest subnormal
    const std::uint64_t significand = (magnitude & 0xFFFFFFFFFFFFFull) | 0x10000000000000ull;
    const int step = exponent < f.minExponent ? f.minExponent - exponent : 0;
    const int shift = 52 - f.fractionBits + step;
    const std::uint64_t half = 1ull << (shift - 1);
    const std::uint64_t rounded = (significand + (half - 1) + ((significand >> shift) & 1)) >> shift;
    const int above = exponent > f.minExponent ? exponent - f.minExponent : 0;
    const std::uint64_t code = (static_cast<std::uint64_t>(above) << f.fractionBits) + rounded;
    return sign | (code >= f.overflowCode ? f.overflowCode : static_cast<std::uint32_t>(code));
}

/// The value of a code; exact.
DIVDET_HD float decodeNarrow(std::uint32_t code, NarrowFormat f) {
    const std::uint32_t sign = (code >> f.signShift & 1u) << 31;
    const std::uint32_t magnitude = code & ((1u << f.signShift) - 1);
    if (magnitude == f.overflowCode && f.overflowCode != f.nanCode) return floatFromBits(sign | 0x7F800000u);
    if (magnitude >= f.overflowCode) return floatFromBits(sign | 0x7FC00000u);
    const std::uint32_t field = magnitude >> f.fractionBits;
    const std::uint32_t fraction = magnitude & ((1u << f.fractionBits) - 1);
    const std::uint32_t significand = field ? fraction | (1u << f.fractionBits) : fraction;
    const int exponent = (field ? static_cast<int>(field) - 1 : 0) + f.minExponent - f.fractionBits;
    const float value = toFloatRn(static_cast<double>(significand) * powerOfTwo(exponent));
    return floatFromBits(sign | bitsOf(value));
}

DIVDET_HD std::uint16_t f16FromDouble(double x) {
    return static_cast<std::uint16_t>(encodeNarrow(x, f16Format()));
}
DIVDET_HD std::uint16_t bf16FromDouble(double x) {
    return static_cast<std::uint16_t>(encodeNarrow(x, bf16Format()));
}
DIVDET_HD std::uint8_t f8e4m3FromDouble(double x) {
    return static_cast<std::uint8_t>(encodeNarrow(x, f8e4m3Format()));
}
DIVDET_HD std::uint8_t f8e5m2FromDouble(double x) {
    return static_cast<std::uint8_t>(encodeNarrow(x, f8e5m2Format()));
}

DIVDET_HD std::uint16_t f16FromFloat(float x) {
    return f16FromDouble(static_cast<double>(x));
}
DIVDET_HD std::uint8_t f8e4m3FromFloat(float x) {
    return f8e4m3FromDouble(static_cast<double>(x));
}
DIVDET_HD std::uint8_t f8e5m2FromFloat(float x) {
    return f8e5m2FromDouble(static_cast<double>(x));
}

/// bf16 is the upper half of a float, so this one needs no widening.
DIVDET_HD std::uint16_t bf16FromFloat(float x) {
    const std::uint32_t u = bitsOf(x);
    if (isNan(x)) return static_cast<std::uint16_t>((u >> 16 & 0x8000u) | 0x7FC0u);
    return static_cast<std::uint16_t>((u + 0x7FFFu + (u >> 16 & 1u)) >> 16);
}

DIVDET_HD float f16ToFloat(std::uint16_t code) {
    return decodeNarrow(code, f16Format());
}
DIVDET_HD float f8e4m3ToFloat(std::uint8_t code) {
    return decodeNarrow(code, f8e4m3Format());
}
DIVDET_HD float f8e5m2ToFloat(std::uint8_t code) {
    return decodeNarrow(code, f8e5m2Format());
}
DIVDET_HD float bf16ToFloat(std::uint16_t code) {
    const float x = floatFromBits(static_cast<std::uint32_t>(code) << 16);
    return isNan(x) ? floatFromBits((static_cast<std::uint32_t>(code) & 0x8000u) << 16 | 0x7FC00000u) : x;
}

/// x rounded to the format and held in a float.
DIVDET_HD float roundToF16(float x) {
    return f16ToFloat(f16FromFloat(x));
}
DIVDET_HD float roundToBf16(float x) {
    return bf16ToFloat(bf16FromFloat(x));
}
DIVDET_HD float roundToF8e4m3(float x) {
    return f8e4m3ToFloat(f8e4m3FromFloat(x));
}
DIVDET_HD float roundToF8e5m2(float x) {
    return f8e5m2ToFloat(f8e5m2FromFloat(x));
}

/// How fp32 becomes tf32 (10 fraction bits, the exponent of f32). cuBLAS documents nearest even; cvt.rna
/// rounds ties away; a tensor core fed raw fp32 truncates.
enum class Tf32Rounding : std::uint8_t { nearestEven, nearestAway, towardZero };

/// x as tf32, held in a float with the low 13 bits zero. NaN and infinities pass unchanged; a finite value
/// above the largest tf32 becomes infinite under the two nearest modes.
DIVDET_HD float roundToTf32(float x, Tf32Rounding mode) {
    std::uint32_t u = bitsOf(x);
    if ((u & 0x7F800000u) == 0x7F800000u) return x;
    if (mode == Tf32Rounding::nearestEven) u += 0xFFFu + (u >> 13 & 1u);
    if (mode == Tf32Rounding::nearestAway) u += 0x1000u;
    return floatFromBits(u & ~0x1FFFu);
}

} // namespace divdet::numerics
