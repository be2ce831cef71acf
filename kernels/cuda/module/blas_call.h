#pragma once
#include <cublas_v2.h>

#include <cstdint>
#include <string>

#include "cuda/module/failure.h"

/// What both libraries, cuBLAS and cuBLASLt, are asked for. Include only where their header is there.
namespace divdet::cuda {

/// One product, column-major as cuBLAS counts: C [rows, columns] = first [rows, k] second [k, columns].
/// Row-major C = A B is column-major C^T = B^T A^T, so `first` is our B and `second` our A.
struct BlasCall {
    std::size_t rows, columns, k;
    bool transposed; ///< first lies as [k, rows]
    const void* first;
    std::size_t ldFirst;
    const void* second;
    std::size_t ldSecond;
    cudaDataType in;
    void* c;
    std::size_t ldC;
    cudaDataType out;
    cublasComputeType_t compute;

    bool integers() const { return out == CUDA_R_32I; }
};

/// Factors of a product and of what was there before, in the type that the call counts in.
struct BlasFactors {
    explicit BlasFactors(bool integers)
        : alpha(integers ? static_cast<const void*>(&m_integerOne) : &m_one)
        , beta(integers ? static_cast<const void*>(&m_integerZero) : &m_zero) {}
    BlasFactors(const BlasFactors&) = delete;
    const void *alpha, *beta;

private:
    const float m_one = 1, m_zero = 0;
    const std::int32_t m_integerOne = 1, m_integerZero = 0;
};

inline void checkBlas(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const auto code = status == CUBLAS_STATUS_ALLOC_FAILED ? DIVDET_OUT_OF_MEMORY : DIVDET_DEVICE_ERROR;
    throw Failure{code, std::string(what) + ": cuBLAS status " + std::to_string(static_cast<int>(status))};
}

} // namespace divdet::cuda
