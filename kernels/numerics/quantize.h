#pragma once
#include <cstddef>

#include "numerics/float_bits.h"

/// Symmetric int8: q = clamp(rint(x / scale), -127, 127), value = q scale. -128 is never produced, so |q| <=
/// 127 and an int32 sum of K products cannot overflow for K <= 133,144.
namespace divdet::numerics {

/// Largest |x| of n elements `stride` apart; NaNs are skipped; 0 for n = 0.
DIVDET_HD float maxAbs(const float* x, std::size_t n, std::size_t stride) {
    float largest = 0.0f;
    for (std::size_t i = 0; i < n; ++i) {
        const float a = floatFromBits(bitsOf(x[i * stride]) & 0x7FFFFFFFu);
        if (a > largest) largest = a;
    }
    return largest;
}

/// maxabs / 127, the step of the grid. All zero gives 1, and so does a maximum so small that the quotient is
/// 0: then every q is 0 (or exact) and no division by zero arises.
DIVDET_HD float int8Scale(float maxabs) {
    const float scale = divRn(maxabs, 127.0f);
    return scale > 0.0f ? scale : 1.0f;
}

/// IEEE division, nearest even to integer, clamp before the conversion; NaN gives 0.
DIVDET_HD std::int8_t quantizeInt8(float x, float scale) {
    const float y = divRn(x, scale);
    if (isNan(y)) return 0;
    if (y >= 127.0f) return 127;
    if (y <= -127.0f) return -127;
    // 1.5 * 2^23 has unit spacing, so the sum is rint(y) to nearest even; exact for |y| < 127.
    return static_cast<std::int8_t>(addRn(addRn(y, 0x1.8p23f), -0x1.8p23f));
}

/// The ops quantize and dequantize, codes held in floats: clamp(rint(x / scale) + zero, low, high), with NaN
/// as the zero point. Exact for |zero| < 2^22 and codes within 65536.
DIVDET_HD float quantizeCode(float x, float scale, float zero, float low, float high) {
    float y = divRn(x, scale);
    if (isNan(y)) y = 0.0f;
    if (y > 0x1p22f) y = 0x1p22f;
    if (y < -0x1p22f) y = -0x1p22f;
    const float code = addRn(addRn(addRn(y, 0x1.8p23f), -0x1.8p23f), zero);
    if (code > high) return high;
    return code < low ? low : code;
}

/// (code - zero) scale, each rounded once.
DIVDET_HD float dequantizeCode(float code, float scale, float zero) {
    return mulRn(addRn(code, -zero), scale);
}

/// acc (scaleA scaleB), with exactly this association: two float roundings after the one of `acc`.
DIVDET_HD float dequantizeInt8(std::int32_t acc, float scaleA, float scaleB) {
    return mulRn(toFloatRn(acc), mulRn(scaleA, scaleB));
}

} // namespace divdet::numerics
