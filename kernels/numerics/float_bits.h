#pragma once
#include "numerics/portable.h"

/// Bits of floats and back, and the questions that bits answer without rounding.
namespace divdet::numerics {

DIVDET_HD std::uint32_t bitsOf(float x) {
    std::uint32_t u;
    std::memcpy(&u, &x, sizeof u);
    return u;
}
DIVDET_HD std::uint64_t bitsOf(double x) {
    std::uint64_t u;
    std::memcpy(&u, &x, sizeof u);
    return u;
}
DIVDET_HD float floatFromBits(std::uint32_t u) {
    float x;
    std::memcpy(&x, &u, sizeof x);
    return x;
}
DIVDET_HD double doubleFromBits(std::uint64_t u) {
    double x;
    std::memcpy(&x, &u, sizeof x);
    return x;
}

DIVDET_HD bool isNan(float x) {
    return (bitsOf(x) & 0x7FFFFFFFu) > 0x7F800000u;
}
DIVDET_HD bool isInf(float x) {
    return (bitsOf(x) & 0x7FFFFFFFu) == 0x7F800000u;
}
DIVDET_HD bool isNegative(float x) {
    return (bitsOf(x) >> 31) != 0;
} ///< sign bit, also of zeros and NaNs

/// 2^e, exact. Precondition: -1022 <= e <= 1023.
DIVDET_HD double powerOfTwo(int e) {
    return doubleFromBits(static_cast<std::uint64_t>(static_cast<std::int64_t>(e) + 1023) << 52);
}

/// floor(log2 v). Precondition: v != 0.
DIVDET_HD int floorLog2(std::uint64_t v) {
#ifdef __CUDA_ARCH__
    return 63 - __clzll(static_cast<long long>(v));
#else
    int e = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (v >> step) {
            v >>= step;
            e += step;
        }
    }
    return e;
#endif
}

} // namespace divdet::numerics
