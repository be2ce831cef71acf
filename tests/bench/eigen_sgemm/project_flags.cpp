#define DIVDET_EIGEN_PRODUCT projectFlags
#include "bench/eigen_sgemm/product-inl.h"

namespace eigen_sgemm {

const char* projectInstructionSet() {
    return Eigen::SimdInstructionSetsInUse();
}

#if defined(__x86_64__)
Product avx2IfPresent() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2 : nullptr;
}
Product avx512IfPresent() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? avx512 : nullptr;
}
#else
Product avx2IfPresent() {
    return nullptr;
}
Product avx512IfPresent() {
    return nullptr;
}
#endif

} // namespace eigen_sgemm
