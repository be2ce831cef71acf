#include "cuda/module/launches.h"
#include "cuda/scatter_atomics.cuh"

namespace divdet::cuda {

void scatterAtomically(cudaStream_t stream, const float* indices, const float* source, std::size_t targets,
                       std::size_t width, std::size_t n, float* out) {
    DIVDET_LAUNCH(kernels::scatterAtomically, blocksFor(n), kThreads, stream, indices, source, targets, width,
                  n, out);
}

} // namespace divdet::cuda
