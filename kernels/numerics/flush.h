#pragma once
#include "numerics/float_bits.h"

namespace divdet::numerics {

/// x, or zero with its sign where |x| < 2^-126: a result as hardware that flushes subnormals gives it.
DIVDET_HD float flushed(float x) {
    const std::uint32_t u = bitsOf(x);
    return (u & 0x7F800000u) == 0 ? floatFromBits(u & 0x80000000u) : x;
}

/// The same for a code of bf16, which has the exponents of fp32.
DIVDET_HD std::uint16_t flushedBf16(std::uint16_t code) {
    return (code & 0x7F80u) == 0 ? static_cast<std::uint16_t>(code & 0x8000u) : code;
}

} // namespace divdet::numerics
