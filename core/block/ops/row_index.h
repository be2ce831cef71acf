#pragma once
#include <vector>

#include "base/result.h"
#include "tensor/tensor.h"

namespace divdet::block::ops {

/// Row numbers held as floating-point values. Error: mismatch, with the first element that is not a whole
/// number in [0, rows).
Result<std::vector<std::size_t>> rowIndices(const Tensor& indices, std::int64_t rows);

} // namespace divdet::block::ops
