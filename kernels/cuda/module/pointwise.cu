#include "cuda/module/launches.h"
#include "cuda/pointwise.cuh"

namespace divdet::cuda {

void applyFunction(cudaStream_t stream, Function f, const float* x, std::size_t n, float* out) {
    switch (f) {
    case Function::gelu:
        DIVDET_LAUNCH((kernels::applyFunction<Function::gelu>), blocksFor(n), kThreads, stream, x, n, out);
        return;
    case Function::geluTanh:
        DIVDET_LAUNCH((kernels::applyFunction<Function::geluTanh>), blocksFor(n), kThreads, stream, x, n,
                      out);
        return;
    case Function::silu:
        DIVDET_LAUNCH((kernels::applyFunction<Function::silu>), blocksFor(n), kThreads, stream, x, n, out);
        return;
    case Function::relu:
        DIVDET_LAUNCH((kernels::applyFunction<Function::relu>), blocksFor(n), kThreads, stream, x, n, out);
        return;
    case Function::fastGelu:
        DIVDET_LAUNCH((kernels::applyFunction<Function::fastGelu>), blocksFor(n), kThreads, stream, x, n,
                      out);
        return;
    case Function::fastGeluTanh:
        DIVDET_LAUNCH((kernels::applyFunction<Function::fastGeluTanh>), blocksFor(n), kThreads, stream, x, n,
                      out);
        return;
    case Function::fastSilu:
        DIVDET_LAUNCH((kernels::applyFunction<Function::fastSilu>), blocksFor(n), kThreads, stream, x, n,
                      out);
        return;
    }
}

void addElements(cudaStream_t stream, const float* x, const float* y, std::size_t n, std::size_t width,
                 float* out) {
    DIVDET_LAUNCH(kernels::addElements, blocksFor(n), kThreads, stream, x, y, n, width, out);
}

void mulElements(cudaStream_t stream, const float* x, const float* y, std::size_t n, std::size_t width,
                 float* out) {
    DIVDET_LAUNCH(kernels::mulElements, blocksFor(n), kThreads, stream, x, y, n, width, out);
}

void multiplyAndAdd(cudaStream_t stream, const float* factors, std::size_t factorWidth, float constant,
                    const float* addend, std::size_t addendWidth, std::size_t n, float* c) {
    DIVDET_LAUNCH(kernels::multiplyAndAdd, blocksFor(n), kThreads, stream, factors, factorWidth, constant,
                  addend, addendWidth, n, c);
}

void scaleElements(cudaStream_t stream, const float* x, float factor, std::size_t n, float* out) {
    DIVDET_LAUNCH(kernels::scaleElements, blocksFor(n), kThreads, stream, x, factor, n, out);
}

void addBiasTo(cudaStream_t stream, const float* bias, std::size_t biasStep, std::size_t size,
               std::size_t columns, std::size_t n, float* residual) {
    DIVDET_LAUNCH(kernels::addBiasTo, blocksFor(n), kThreads, stream, bias, biasStep, size, columns, n,
                  residual);
}

void maskCausally(cudaStream_t stream, const float* x, std::int64_t offset, std::size_t n,
                  std::size_t queries, std::size_t keys, float* out) {
    DIVDET_LAUNCH(kernels::maskCausally, blocksFor(n), kThreads, stream, x, offset, n, queries, keys, out);
}

} // namespace divdet::cuda
