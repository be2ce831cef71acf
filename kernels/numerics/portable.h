#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

// Everything in this folder decides bits, so it may not be compiled under rules that change them.
#ifdef __FAST_MATH__
#error "divdet numerics need IEEE arithmetic: compile without -ffast-math / -Ofast / --use_fast_math"
#endif

#ifdef __CUDACC__
#define DIVDET_HD __host__ __device__ inline
#define DIVDET_HD_CONSTEXPR __host__ __device__ constexpr
#else
#define DIVDET_HD inline
#define DIVDET_HD_CONSTEXPR constexpr
#endif

// A table of constants read inside a function: one copy for the host, one in device memory.
#ifdef __CUDA_ARCH__
#define DIVDET_TABLE static __device__ const
#else
#define DIVDET_TABLE static constexpr
#endif

/// Arithmetic with one rounding to nearest even per call, which no compiler may contract or reorder:
/// intrinsics on the device, plain operators on the host (the build sets -ffp-contract=off there).
namespace divdet::numerics {

#ifdef __CUDA_ARCH__
DIVDET_HD double addRn(double a, double b) {
    return __dadd_rn(a, b);
}
DIVDET_HD double mulRn(double a, double b) {
    return __dmul_rn(a, b);
}
DIVDET_HD double divRn(double a, double b) {
    return __ddiv_rn(a, b);
}
DIVDET_HD double fmaRn(double a, double b, double c) {
    return __fma_rn(a, b, c);
}
DIVDET_HD double sqrtRn(double a) {
    return __dsqrt_rn(a);
}
DIVDET_HD float addRn(float a, float b) {
    return __fadd_rn(a, b);
}
DIVDET_HD float mulRn(float a, float b) {
    return __fmul_rn(a, b);
}
DIVDET_HD float divRn(float a, float b) {
    return __fdiv_rn(a, b);
}
DIVDET_HD float fmaRn(float a, float b, float c) {
    return __fmaf_rn(a, b, c);
}
DIVDET_HD float sqrtRn(float a) {
    return __fsqrt_rn(a);
}
DIVDET_HD float toFloatRn(double a) {
    return __double2float_rn(a);
}
DIVDET_HD float toFloatRn(std::int32_t a) {
    return __int2float_rn(a);
}
#else
DIVDET_HD double addRn(double a, double b) {
    return a + b;
}
DIVDET_HD double mulRn(double a, double b) {
    return a * b;
}
DIVDET_HD double divRn(double a, double b) {
    return a / b;
}
DIVDET_HD double fmaRn(double a, double b, double c) {
    return std::fma(a, b, c);
}
DIVDET_HD double sqrtRn(double a) {
    return std::sqrt(a);
}
DIVDET_HD float addRn(float a, float b) {
    return a + b;
}
DIVDET_HD float mulRn(float a, float b) {
    return a * b;
}
DIVDET_HD float divRn(float a, float b) {
    return a / b;
}
DIVDET_HD float fmaRn(float a, float b, float c) {
    return std::fma(a, b, c);
}
DIVDET_HD float sqrtRn(float a) {
    return std::sqrt(a);
}
DIVDET_HD float toFloatRn(double a) {
    return static_cast<float>(a);
}
DIVDET_HD float toFloatRn(std::int32_t a) {
    return static_cast<float>(a);
}
#endif

} // namespace divdet::numerics
