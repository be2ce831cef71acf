#pragma once
#include "tensor/dtype.h"

namespace divdet {

/// What rounding to nearest in a floating dtype needs to know: stored fraction bits, smallest and largest
/// exponent of normal numbers. Precondition: f64, f32, f16 or bf16.
struct FloatFormat {
    int fraction, lowest, highest;

    /// Half an ulp of 1.
    double unitRoundoff() const;
    /// Distance of neighbours at the size of x; of subnormals for 0 and for what is not finite.
    double ulp(double x) const;
};
FloatFormat floatFormat(DType dtype);

} // namespace divdet
