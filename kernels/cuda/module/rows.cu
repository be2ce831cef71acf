#include "cuda/module/launches.h"
#include "cuda/rows.cuh"

namespace divdet::cuda {

void rmsNormRows(cudaStream_t stream, const float* x, const float* gain, float eps, std::size_t rows,
                 std::size_t width, SumOrder order, bool fast, float* out) {
    DIVDET_LAUNCH(kernels::rmsNormRows, blocksFor(rows, 1), kThreads, stream, x, gain, eps, rows, width,
                  order, fast, out);
}

void layerNormRows(cudaStream_t stream, const float* x, const float* gain, const float* bias, float eps,
                   std::size_t rows, std::size_t width, SumOrder order, bool fast, bool onePass, float* out) {
    DIVDET_LAUNCH(kernels::layerNormRows, blocksFor(rows, 1), kThreads, stream, x, gain, bias, eps, rows,
                  width, order, fast, onePass, out);
}

void softmaxRows(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width, SumOrder order,
                 bool fast, float* out) {
    DIVDET_LAUNCH(kernels::softmaxRows, blocksFor(rows, 1), kThreads, stream, x, rows, width, order, fast,
                  out);
}

void spoilFirstRows(cudaStream_t stream, std::size_t n, std::size_t width, std::size_t perMatrix, float* y) {
    DIVDET_LAUNCH(kernels::spoilFirstRows, blocksFor(n), kThreads, stream, n, width, perMatrix, y);
}

unsigned sumRowBlocks(std::size_t rows) {
    constexpr unsigned kEnough = 4096; // each has scratch of its own
    const unsigned blocks = blocksFor(rows, 1);
    return blocks < kEnough ? blocks : kEnough;
}

void sumRows(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width, std::size_t kept,
             SumRule rule, float* partials, std::uint32_t* arrivals, float* sums) {
    DIVDET_LAUNCH(kernels::sumRows, sumRowBlocks(rows), kThreads, stream, x, rows, width, kept, rule,
                  partials, arrivals, sums);
}

} // namespace divdet::cuda
