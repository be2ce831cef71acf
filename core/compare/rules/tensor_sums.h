#pragma once
#include "base/progress.h"
#include "base/result.h"
#include "tensor/tensor.h"

namespace divdet::rules {

/// Sums over a tensor or a pair, in double, blocks of 4096 merged in order. Preconditions: real, equal
/// shapes.
Result<bool> anyNan(const TensorView& v, const Progress& progress);
/// sqrt(mean((a − b)²)); NaN when an element is; of no elements NaN, as in torch.
Result<double> rootMeanSquare(const TensorView& a, const TensorView& b, const Progress& progress);

struct Products {
    double ab = 0, aa = 0, bb = 0;
};
Result<Products> products(const TensorView& a, const TensorView& b, const Progress& progress);

} // namespace divdet::rules
