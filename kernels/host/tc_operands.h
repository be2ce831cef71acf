#pragma once
#include <cstddef>
#include <cstdint>

#include "numerics/tensor_core.h"

/// Operands of the vectorised tensor-core step: values and their exponents as the step sees them, and the
/// range in which float arithmetic on them is exact.
namespace divdet::host::tc {

/// Far below every exponent, so that a zero never decides eta; sums of two stay in range.
inline constexpr std::int32_t kZeroExponent = -0x10000;

/// Exponents of the nonzero values seen so far. Products are exact floats, sums never leave the normal range
/// and scales are powers of two that exist as floats while every exponent sum lies in [-60, 60].
struct Range {
    std::int32_t lowest = 0x7FFF;
    std::int32_t highest = -0x7FFF;
    bool special = false; ///< an infinity or NaN among them

    bool empty() const { return lowest > highest; }
    void include(std::int32_t exponent) {
        if (exponent < lowest) lowest = exponent;
        if (exponent > highest) highest = exponent;
    }
};

inline bool fastTogether(const Range& a, const Range& b) {
    if (a.special || b.special) return false;
    if (a.empty() || b.empty()) return true;
    return a.lowest + b.lowest >= -60 && a.highest + b.highest <= 60;
}

/// x as the multiplier takes it (tf32: truncated) and its exponent max(floor(log2 |x|), minExponent).
inline float prepare(float x, numerics::OperandFormat format, std::int32_t& exponent, Range& range) {
    const std::uint32_t mask = format == numerics::OperandFormat::tf32 ? 0xFFFFE000u : 0xFFFFFFFFu;
    const std::uint32_t u = numerics::bitsOf(x) & mask;
    const std::int32_t field = static_cast<std::int32_t>(u >> 23 & 0xFFu);
    if (field == 0xFF) range.special = true;
    if ((u & 0x7FFFFFFFu) == 0) {
        exponent = kZeroExponent;
        return 0.0f;
    }
    const std::int32_t least = numerics::operandShape(format).minExponent;
    exponent = field - 127 > least ? field - 127 : least;
    range.include(field == 0 ? -149 : field - 127); // subnormal floats leave the fast path
    return numerics::floatFromBits(u);
}

/// One product, prepared for the panels.
struct Problem {
    std::size_t m, n, k;
    const float* a;                ///< m*k, as given
    const float* b;                ///< k*n, as given
    const float* aValue;           ///< m*k prepared operands
    const std::int32_t* aExponent; ///< theirs, biased by 127
    const Range* aRange;           ///< one per row
    numerics::TcSpec spec;
    std::size_t splits;
    std::size_t chunk; ///< products per split
};

/// True when c may enter the vectorised step: +-0 or a magnitude in [2^-80, 2^80).
inline bool fastStart(float c) {
    const std::int32_t field = static_cast<std::int32_t>(numerics::bitsOf(c) >> 23 & 0xFFu);
    return c == 0.0f || (field >= 127 - 80 && field < 127 + 80);
}

} // namespace divdet::host::tc
