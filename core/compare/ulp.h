#pragma once
#include <optional>

#include "tensor/dtype.h"

namespace divdet {

/// Distance of two finite values in units of the last place of `dtype` (both rounded to it first, nearest
/// even): the number of representable steps between them, across zero included; −0 and +0 are one value.
/// Integer and bool dtypes: |a − b|. Precondition: dtype is not complex and not opaque.
double ulpDistance(double a, double b, DType dtype);

/// The dtype in which a pair's ulps are counted: the coarser floating one; none for complex and opaque.
std::optional<DType> ulpDType(DType reference, DType candidate);

/// Smallest normal number of a floating dtype; 0 for others.
double smallestNormal(DType dtype);

} // namespace divdet
