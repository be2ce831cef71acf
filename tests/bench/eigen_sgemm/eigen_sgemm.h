#pragma once
#include <cstddef>

/// Eigen's sgemm compiled three times: with the project's flags (which leave x86-64 at SSE2), and for the
/// instruction sets that our own kernels choose at run time. Each copy lives in a namespace of its own, so
/// that the linker cannot take one's templates for another's. Row-major C[m,n] = A[m,k] B[k,n].
namespace eigen_sgemm {

using Product = void (*)(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                         float* c);

void projectFlags(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c);
void avx2(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c);
void avx512(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c);

/// nullptr where the processor lacks the instructions or the build is for another one.
Product avx2IfPresent();
Product avx512IfPresent();

const char* projectInstructionSet(); ///< what Eigen says of itself

} // namespace eigen_sgemm
