#pragma once
#include <vector>

#include "cuda_on_cpu/cublas_v2.h"

/// What the stand-ins for cuBLAS and cuBLASLt were asked, and how they answer.
namespace cuda_on_cpu {

/// A product as it was run, column-major: C [m, n] = op(A) op(B).
struct LibraryCall {
    enum class By { gemmEx, lt } by;
    cublasOperation_t opA, opB;
    int m, n, k, lda, ldb, ldc;
    cudaDataType in, out;
    cublasComputeType_t compute;
};
std::vector<LibraryCall>& libraryCalls(); ///< for tests to read and to clear

/// Computes what the arguments say, sums in double; refuses what the real libraries refuse.
cublasStatus_t libraryProduct(const LibraryCall& call, const void* alpha, const void* a, const void* b,
                              const void* beta, void* c);

/// cuBLASLt: there, absent, or there without an algorithm for anything.
enum class Lt { works, absent, knowsNoAlgorithm };
void setLt(Lt how);
std::size_t heuristicsAsked(); ///< since the start

} // namespace cuda_on_cpu
