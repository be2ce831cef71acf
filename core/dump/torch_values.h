#pragma once
#include <cstddef>

#include "dump/small_float.h"
#include "tensor/tensor.h"

namespace divdet {

/// f32 values (q - zeroPoint) · scale of stored integers, as torch's dequantize() computes them in f32.
Tensor dequantise(const Tensor& stored, double scale, std::int64_t zeroPoint);

/// The same with a scale and a zero point for each index of `axis`; both are vectors of that length.
Tensor dequantise(const Tensor& stored, const Tensor& scales, const Tensor& zeroPoints, std::size_t axis);

/// f32 values of codes (u8); exact.
Tensor widen(const Tensor& codes, SmallFloat format);

/// A copy with the sign of imaginary parts (`conjugated`), of all parts (`negated`), or of real parts (both)
/// changed; NaN payloads stay. Floating and complex types; others are returned as they are.
Tensor withSigns(const Tensor& stored, bool conjugated, bool negated);

} // namespace divdet
