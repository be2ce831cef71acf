#pragma once
#include <span>

#include "base/result.h"
#include "tensor/shape.h"

namespace divdet::block::ops {

/// A matmul as `batch` products of m × k by k × n. With one matrix on the right, every leading dimension of
/// the left only means more rows (batch 1); with equal leading dimensions each pair of matrices is a product.
struct ProductShape {
    std::int64_t batch, m, k, n;
};

/// a [.., m, k] · b [k, n] or b [.., k, n] (+ bias [n]). Error: mismatch.
Result<ProductShape> productShape(std::span<const Shape> in);

} // namespace divdet::block::ops
