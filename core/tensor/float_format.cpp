#include "tensor/float_format.h"

#include <algorithm>
#include <cmath>

namespace divdet {

double FloatFormat::unitRoundoff() const {
    return std::ldexp(1.0, -fraction - 1);
}

double FloatFormat::ulp(double x) const {
    const int exponent = x == 0 || !std::isfinite(x) ? lowest : std::max(lowest, std::ilogb(x));
    return std::ldexp(1.0, exponent - fraction);
}

FloatFormat floatFormat(DType dtype) {
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
