#pragma once
#include "cuda/launch.cuh"

namespace divdet::cuda {

/// A row number held in a float; what is no row of the table becomes the last one, so that nothing outside is
/// read. Callers check row numbers before.
__device__ inline std::size_t rowNumber(float x, std::size_t rows) {
    const bool inside = x >= 0.0f && x < static_cast<float>(rows);
    const std::size_t row = inside ? static_cast<std::size_t>(x) : rows - 1;
    return row < rows ? row : rows - 1;
}

} // namespace divdet::cuda
