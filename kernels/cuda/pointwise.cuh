#pragma once
#include "cuda/kernel_types.h"
#include "cuda/launch.cuh"
#include "numerics/fast_maths.h"
#include "numerics/maths.h"

/// Ops whose outputs need only the elements at their own place. The fast functions are our own fp32
/// approximations (numerics/fast_maths.h), so they too have the twin's bits. `out` may be the input.
namespace divdet::cuda::kernels {

template <Function kOf>
__global__ void applyFunction(const float* x, std::size_t n, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) {
        if constexpr (kOf == Function::gelu) out[i] = numerics::geluFloat(x[i]);
        if constexpr (kOf == Function::geluTanh) out[i] = numerics::geluTanhFloat(x[i]);
        if constexpr (kOf == Function::silu) out[i] = numerics::siluFloat(x[i]);
        if constexpr (kOf == Function::relu) out[i] = numerics::reluFloat(x[i]);
        if constexpr (kOf == Function::fastGelu) out[i] = numerics::fastGelu(x[i]);
        if constexpr (kOf == Function::fastGeluTanh) out[i] = numerics::fastGeluTanh(x[i]);
        if constexpr (kOf == Function::fastSilu) out[i] = numerics::fastSilu(x[i]);
    }
}

/// y repeats every `width` elements.
__global__ void addElements(const float* x, const float* y, std::size_t n, std::size_t width, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) out[i] = numerics::addRn(x[i], y[i % width]);
}
__global__ void mulElements(const float* x, const float* y, std::size_t n, std::size_t width, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) out[i] = numerics::mulRn(x[i], y[i % width]);
}
/// One fma: c = fma(c, factor, addend); null `factors` means the constant. Both repeat.
__global__ void multiplyAndAdd(const float* factors, std::size_t factorWidth, float constant,
                               const float* addend, std::size_t addendWidth, std::size_t n, float* c) {
    for (std::size_t i = firstItem(); i < n; i += itemStep())
        c[i] = numerics::fmaRn(c[i], factors ? factors[i % factorWidth] : constant, addend[i % addendWidth]);
}
__global__ void scaleElements(const float* x, float factor, std::size_t n, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) out[i] = numerics::mulRn(x[i], factor);
}

/// start[i] = bias + residual of one product [.., n]: what the accumulators of a fused kernel begin with.
__global__ void addBiasTo(const float* bias, std::size_t biasStep, std::size_t size, std::size_t columns,
                          std::size_t n, float* residual) {
    for (std::size_t i = firstItem(); i < n; i += itemStep())
        residual[i] = numerics::addRn(bias[i / size * biasStep + i % columns], residual[i]);
}

/// -inf above the diagonal of every [queries, keys] matrix: where column > row + offset.
__global__ void maskCausally(const float* x, std::int64_t offset, std::size_t n, std::size_t queries,
                             std::size_t keys, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) {
        const std::int64_t last = static_cast<std::int64_t>(i / keys % queries) + offset;
        const bool hidden = static_cast<std::int64_t>(i % keys) > last;
        out[i] = hidden ? numerics::floatFromBits(0xFF800000u) : x[i];
    }
}

} // namespace divdet::cuda::kernels
