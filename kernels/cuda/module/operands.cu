#include "cuda/module/launches.h"
#include "cuda/operands.cuh"

namespace divdet::cuda {

namespace {

unsigned rowBlocks(std::size_t rows) {
    return blocksFor(rows, 1);
}

} // namespace

void largestInRows(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width,
                   std::uint32_t* largest) {
    DIVDET_LAUNCH(kernels::largestInRows, rowBlocks(rows), kThreads, stream, x, rows, width, largest);
}

void largestInColumns(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width,
                      std::uint32_t* largest) {
    DIVDET_LAUNCH(kernels::largestInColumns, blocksFor(width), kThreads, stream, x, rows, width, largest);
}

void largestOfAll(cudaStream_t stream, const float* x, std::size_t count, std::uint32_t* largest) {
    constexpr unsigned kEnough = 1024; // blocks, each of which ends in one atomic per thread
    const unsigned blocks = blocksFor(count);
    DIVDET_LAUNCH(kernels::largestOfAll, blocks < kEnough ? blocks : kEnough, kThreads, stream, x, count,
                  largest);
}

void int8Scales(cudaStream_t stream, const std::uint32_t* largest, std::size_t count, std::int64_t clipped,
                float clip, float* scales) {
    DIVDET_LAUNCH(kernels::int8Scales, blocksFor(count), kThreads, stream, largest, count, clipped, clip,
                  scales);
}

void f8Scale(cudaStream_t stream, const std::uint32_t* largest, numerics::OperandFormat format,
             float* scale) {
    DIVDET_LAUNCH(kernels::f8Scale, 1u, kThreads, stream, largest, format, scale);
}

void copyScale(cudaStream_t stream, float* scales, std::size_t from, std::size_t at) {
    DIVDET_LAUNCH(kernels::copyScale, 1u, kThreads, stream, scales, from, at);
}

void int8Codes(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width, const float* scales,
               std::size_t rowStep, std::size_t columnStep, float* codes) {
    DIVDET_LAUNCH(kernels::int8Codes, blocksFor(rows * width), kThreads, stream, x, rows, width, scales,
                  rowStep, columnStep, codes);
}

void f8Codes(cudaStream_t stream, const float* x, std::size_t count, const float* scale,
             numerics::OperandFormat format, float* codes) {
    DIVDET_LAUNCH(kernels::f8Codes, blocksFor(count), kThreads, stream, x, count, scale, format, codes);
}

void int4Weights(cudaStream_t stream, const float* w, std::size_t k, std::size_t n, std::size_t group,
                 float* out) {
    DIVDET_LAUNCH(kernels::int4Weights, blocksFor((k + group - 1) / group * n), kThreads, stream, w, k, n,
                  group, out);
}

void roundOperand(cudaStream_t stream, const float* x, std::size_t count, OperandRounding how, float* out) {
    DIVDET_LAUNCH(kernels::roundOperand, blocksFor(count), kThreads, stream, x, count, how, out);
}

void readHalfWritten(cudaStream_t stream, const float* b, std::size_t ldb, std::size_t k, std::size_t columns,
                     numerics::HalfWritten what, float* out) {
    DIVDET_LAUNCH(kernels::readHalfWritten, blocksFor(k * columns), kThreads, stream, b, ldb, k, columns,
                  what, out);
}

void packOperand(cudaStream_t stream, MmaKind kind, const float* x, std::size_t rows, std::size_t k,
                 std::size_t rowStep, std::size_t kStep, std::size_t perRow, std::uint32_t* out) {
    constexpr std::size_t kMaxRows = 65535;
    const std::size_t down = (rows + kernels::kPackRows - 1) / kernels::kPackRows;
    const dim3 grid(static_cast<unsigned>((perRow + kernels::kPackWords - 1) / kernels::kPackWords),
                    static_cast<unsigned>(down < kMaxRows ? down : kMaxRows));
#define DIVDET_PACK(CODE)                                                                                    \
    DIVDET_LAUNCH((kernels::packOperand<kernels::CODE>), grid, kThreads, stream, x, rows, k, rowStep, kStep, \
                  perRow, out)
    switch (kind) {
    case MmaKind::f16:
    case MmaKind::f16InF16:
        DIVDET_PACK(CodeF16);
        return;
    case MmaKind::bf16:
        DIVDET_PACK(CodeBf16);
        return;
    case MmaKind::tf32:
        DIVDET_PACK(CodeTf32);
        return;
    case MmaKind::f8e4m3:
        DIVDET_PACK(CodeF8e4m3);
        return;
    case MmaKind::f8e5m2:
        DIVDET_PACK(CodeF8e5m2);
        return;
    case MmaKind::int8:
        DIVDET_PACK(CodeInt8);
        return;
    }
#undef DIVDET_PACK
}

void scaleBack(cudaStream_t stream, GemmShape shape, const float* rowScales, std::size_t rowStep,
               const float* columnScales, std::size_t columnStep, StartValues start, float* c) {
    DIVDET_LAUNCH(kernels::scaleBack, blocksFor(shape.m * shape.n), kThreads, stream, shape, rowScales,
                  rowStep, columnScales, columnStep, start, c);
}

} // namespace divdet::cuda
