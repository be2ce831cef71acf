#include "cuda/gemm_mma.cuh"
#include "cuda/module/launches.h"

namespace divdet::cuda {

void gemmMma(cudaStream_t stream, MmaKind kind, std::size_t m, std::size_t n, Packed a, Packed b,
             std::size_t words, std::size_t length, std::size_t chunks, StartValues start, float* c) {
    using numerics::OperandFormat;
    const dim3 grid(static_cast<unsigned>((n + kernels::kMmaColumns - 1) / kernels::kMmaColumns),
                    static_cast<unsigned>((m + kernels::kMmaRows - 1) / kernels::kMmaRows),
                    static_cast<unsigned>(chunks));
#define DIVDET_MMA_CASE(KIND, POLICY)                                                                        \
    case MmaKind::KIND:                                                                                      \
        DIVDET_LAUNCH((kernels::gemmMma<POLICY>), grid, kThreads, stream, m, n, a, b, words, length, start,  \
                      c);                                                                                    \
        return
    switch (kind) {
        DIVDET_MMA_CASE(f16, MmaF16);
        DIVDET_MMA_CASE(f16InF16, MmaF16InF16);
        DIVDET_MMA_CASE(bf16, MmaBf16);
        DIVDET_MMA_CASE(tf32, MmaTf32);
        DIVDET_MMA_CASE(f8e4m3, MmaF8<OperandFormat::f8e4m3>);
        DIVDET_MMA_CASE(f8e5m2, MmaF8<OperandFormat::f8e5m2>);
        DIVDET_MMA_CASE(int8, MmaInt8);
    }
#undef DIVDET_MMA_CASE
}

unsigned elementsPerWord(MmaKind kind) {
    switch (kind) {
    case MmaKind::tf32:
        return 1;
    case MmaKind::f16:
    case MmaKind::f16InF16:
    case MmaKind::bf16:
        return 2;
    case MmaKind::f8e4m3:
    case MmaKind::f8e5m2:
    case MmaKind::int8:
        return 4;
    }
    return 1;
}

} // namespace divdet::cuda
