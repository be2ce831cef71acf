#include "cuda_on_cpu/cublas_v2.h"

#include "cuda_on_cpu/library_calls.h"
#include "numerics/rounding.h"

namespace {

double element(const void* data, cudaDataType type, std::size_t at) {
    using namespace divdet::numerics;
    switch (type) {
    case CUDA_R_32F:
        return static_cast<const float*>(data)[at];
    case CUDA_R_16F:
        return f16ToFloat(static_cast<const std::uint16_t*>(data)[at]);
    case CUDA_R_16BF:
        return bf16ToFloat(static_cast<const std::uint16_t*>(data)[at]);
    case CUDA_R_8I:
        return static_cast<const std::int8_t*>(data)[at];
    case CUDA_R_32I:
        return static_cast<const std::int32_t*>(data)[at];
    }
    return 0;
}

bool accepted(cublasOperation_t opA, cublasOperation_t opB, cudaDataType in, cudaDataType out,
              cublasComputeType_t compute, int lda, int ldb, int ldc) {
    if (opB != CUBLAS_OP_N) return false; // the module never asks for it
    switch (compute) {
    case CUBLAS_COMPUTE_32I: // regular integer kernels: TN, everything in quads
        return in == CUDA_R_8I && out == CUDA_R_32I && opA == CUBLAS_OP_T && lda % 4 == 0 && ldb % 4 == 0 &&
               ldc % 4 == 0;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        return in == CUDA_R_32F && out == CUDA_R_32F;
    case CUBLAS_COMPUTE_32F:
        return (in == CUDA_R_16F || in == CUDA_R_16BF) && out == CUDA_R_32F;
    }
    return false;
}

} // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
    *handle = nullptr;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t) {
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType which, int* value) {
    *value = which == MAJOR_VERSION ? 13 : 0;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t) {
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void* workspace, std::size_t) {
    return workspace ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) {
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType typeA, int lda, const void* b,
                            cudaDataType typeB, int ldb, const void* beta, void* c, cudaDataType typeC,
                            int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
    if (typeA != typeB) return CUBLAS_STATUS_NOT_SUPPORTED;
    return cuda_on_cpu::libraryProduct(
        {cuda_on_cpu::LibraryCall::By::gemmEx, opA, opB, m, n, k, lda, ldb, ldc, typeA, typeC, compute},
        alpha, a, b, beta, c);
}

namespace cuda_on_cpu {

std::vector<LibraryCall>& libraryCalls() {
    static std::vector<LibraryCall> calls;
    return calls;
}

cublasStatus_t libraryProduct(const LibraryCall& call, const void* alpha, const void* a, const void* b,
                              const void* beta, void* c) {
    const auto opA = call.opA, opB = call.opB;
    const int m = call.m, n = call.n, k = call.k, lda = call.lda, ldb = call.ldb, ldc = call.ldc;
    const auto in = call.in, out = call.out;
    const auto compute = call.compute;
    if (m < 0 || n < 0 || k < 0 || lda < (opA == CUBLAS_OP_N ? m : k) || ldb < k || ldc < m)
        return CUBLAS_STATUS_INVALID_VALUE;
    const bool integers = compute == CUBLAS_COMPUTE_32I;
    const double one = element(alpha, integers ? CUDA_R_32I : CUDA_R_32F, 0);
    const double zero = element(beta, integers ? CUDA_R_32I : CUDA_R_32F, 0);
    if (one != 1 || zero != 0 || !accepted(opA, opB, in, out, compute, lda, ldb, ldc))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    libraryCalls().push_back(call);
    const auto rounded = [rounds = compute == CUBLAS_COMPUTE_32F_FAST_TF32](double x) {
        if (!rounds) return x;
        return static_cast<double>(divdet::numerics::roundToTf32(
            static_cast<float>(x), divdet::numerics::Tf32Rounding::nearestEven));
    };
    const auto at = [](int row, int column, int ld) {
        return static_cast<std::size_t>(row) +
               static_cast<std::size_t>(column) * static_cast<std::size_t>(ld);
    };
    enqueue([=] { // in the stream's order
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                double sum = 0;
                for (int l = 0; l < k; ++l)
                    sum += rounded(element(a, in, opA == CUBLAS_OP_N ? at(i, l, lda) : at(l, i, lda))) *
                           rounded(element(b, in, at(l, j, ldb)));
                if (integers)
                    static_cast<std::int32_t*>(c)[at(i, j, ldc)] = static_cast<std::int32_t>(sum);
                else
                    static_cast<float*>(c)[at(i, j, ldc)] = static_cast<float>(sum);
            }
    });
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace cuda_on_cpu
