#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "tensor/dtype.h"

namespace divdet {

/// What rounding to nearest in a floating dtype needs to know: stored fraction bits, smallest and largest
/// exponent of normal numbers. Precondition: f64, f32, f16 or bf16. Inline: bounds ask once per element.
struct FloatFormat {
    int fraction, lowest, highest;

    /// 2^exponent, for exponents from -1074 to 1023.
    static constexpr double powerOfTwo(int exponent) {
        const auto bits =
            exponent >= -1022 ? std::uint64_t(exponent + 1023) << 52 : std::uint64_t{1} << (exponent + 1074);
        return std::bit_cast<double>(bits);
    }
    /// Half an ulp of 1.
    constexpr double unitRoundoff() const { return powerOfTwo(-fraction - 1); }
    /// Distance of neighbours at the size of x; of subnormals for 0 and for what is not finite.
    constexpr double ulp(double x) const {
        const int field = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7FF);
        return powerOfTwo((field == 0x7FF ? lowest : std::max(lowest, field - 1023)) - fraction);
    }
};

constexpr FloatFormat floatFormat(DType dtype) {
    switch (dtype) {
    case DType::f64:
        return {52, -1022, 1023};
    case DType::f16:
        return {10, -14, 15};
    case DType::bf16:
        return {7, -126, 127};
    default:
        return {23, -126, 127};
    }
}

} // namespace divdet
