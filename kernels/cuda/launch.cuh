#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "numerics/portable.h"

/// How kernels are started, and the few sizes that all of them share. nvcc sees the triple brackets; the
/// executor of the tests (tests/support/cuda_on_cpu) brings its own <cuda_runtime.h> and defines
/// DIVDET_LAUNCH there. `kernel` with template arguments goes in parentheses; an empty grid starts nothing.
#ifdef __CUDACC__
#define DIVDET_LAUNCH(kernel, grid, block, stream, ...)                                                      \
    do {                                                                                                     \
        const dim3 divdetGrid = (grid);                                                                      \
        if (divdetGrid.x && divdetGrid.y && divdetGrid.z)                                                    \
            kernel<<<divdetGrid, (block), 0, (stream)>>>(__VA_ARGS__);                                       \
    } while (false)
#endif

namespace divdet::cuda {

inline constexpr unsigned kThreads = 256; ///< of a block, unless a kernel says otherwise
inline constexpr unsigned kMaxBlocks = 1u << 20;

/// Blocks for `work` items at `perBlock` each; loops over the grid take what is beyond the limit.
inline unsigned blocksFor(std::size_t work, std::size_t perBlock = kThreads) {
    const std::size_t blocks = (work + perBlock - 1) / perBlock;
    return static_cast<unsigned>(blocks < kMaxBlocks ? blocks : kMaxBlocks);
}

/// This thread's first item and the distance to its next one, for loops over a grid of one dimension.
__device__ inline std::size_t firstItem() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::size_t itemStep() {
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

} // namespace divdet::cuda
