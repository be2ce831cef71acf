#pragma once
#include <cstddef>

#include "numerics/quantize.h"
#include "numerics/rounding.h"
#include "numerics/tensor_core_spec.h"

/// fp8 and int4 operands of a product.
///   fp8   one scale per tensor, s = max|x| / largest finite value of the format, in fp32; code = the
///   format's
///         nearest even of x / s. Codes multiply, and (scale a)(scale b) multiplies the sum once.
///   int4  weights only, symmetric, one scale per column and group of consecutive k: s = max|w| / 7 in fp32,
///         q = clamp(rint(w / s), -7, 7); what is multiplied is w' = q s, rounded once to fp32.
/// All zeros, and a maximum so small that the quotient is 0, give the scale 1.
namespace divdet::numerics {

DIVDET_HD float f8Largest(OperandFormat f) {
    return f == OperandFormat::f8e5m2 ? 57344.0f : 448.0f;
}

DIVDET_HD float scaleOver(float maxabs, float largest) {
    const float scale = divRn(maxabs, largest);
    return scale > 0.0f ? scale : 1.0f;
}

DIVDET_HD float f8Scale(float maxabs, OperandFormat f) {
    return scaleOver(maxabs, f8Largest(f));
}

/// The value of the code, held in a float.
DIVDET_HD float quantizeF8(float x, float scale, OperandFormat f) {
    const float y = divRn(x, scale);
    return f == OperandFormat::f8e5m2 ? roundToF8e5m2(y) : roundToF8e4m3(y);
}

DIVDET_HD float int4Scale(float maxabs) {
    return scaleOver(maxabs, 7.0f);
}

/// The code; NaN gives 0.
DIVDET_HD int quantizeInt4(float w, float scale) {
    const float y = divRn(w, scale);
    if (isNan(y)) return 0;
    if (y >= 7.0f) return 7;
    if (y <= -7.0f) return -7;
    return static_cast<int>(addRn(addRn(y, 0x1.8p23f), -0x1.8p23f));
}

DIVDET_HD float dequantizeInt4(int code, float scale) {
    return mulRn(static_cast<float>(code), scale);
}

/// The instruction that multiplies fp8 codes: the architecture's own, and before sm_89, which has none, that
/// of f16, to which every code converts exactly.
DIVDET_HD TcSpec f8Spec(Arch arch, OperandFormat f) {
    const TcSpec own = tcSpec(arch, f);
    return own.exists() ? own : tcSpec(arch, OperandFormat::f16);
}

} // namespace divdet::numerics
