#pragma once
#include "cuda/row_number.cuh"

/// Scatter-add as most libraries do it: atomic additions in whatever order they arrive. Not exact, and not
/// the same from run to run; it lives apart so that the audit of exact kernels need not excuse it.
namespace divdet::cuda::kernels {

/// out starts as zeros.
__global__ void scatterAtomically(const float* indices, const float* source, std::size_t targets,
                                  std::size_t width, std::size_t n, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep())
        atomicAdd(out + rowNumber(indices[i / width], targets) * width + i % width, source[i]);
}

} // namespace divdet::cuda::kernels
