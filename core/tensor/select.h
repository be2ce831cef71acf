#pragma once
#include "tensor/tensor.h"

namespace divdet {

/// The elements of `v` where `mask` (bool, same shape) is true, in row-major order, as a one-dimensional
/// contiguous tensor.
Tensor selected(const TensorView& v, const TensorView& mask);

} // namespace divdet
