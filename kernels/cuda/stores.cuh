#pragma once
#include "cuda/kernel_types.h"
#include "cuda/launch.cuh"
#include "numerics/flush.h"
#include "numerics/philox.h"
#include "numerics/rounding.h"

/// Between the dtypes that values are kept in and fp32, in which everything is computed; and streams of
/// random numbers.
namespace divdet::cuda::kernels {

template <Kept kOf>
struct KeptType {
    using type = float;
};
template <>
struct KeptType<Kept::f16> {
    using type = std::uint16_t;
};
template <>
struct KeptType<Kept::bf16> {
    using type = std::uint16_t;
};
template <>
struct KeptType<Kept::f8e4m3> {
    using type = std::uint8_t;
};
template <>
struct KeptType<Kept::f8e5m2> {
    using type = std::uint8_t;
};
template <>
struct KeptType<Kept::i8> {
    using type = std::int8_t;
};
template <>
struct KeptType<Kept::i32> {
    using type = std::int32_t;
};
template <>
struct KeptType<Kept::f64> {
    using type = double;
};

/// fp32 of a kept value: exact for the narrow formats, rounded once for i32 and f64.
template <Kept kOf>
__global__ void widen(const typename KeptType<kOf>::type* x, std::size_t n, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) {
        if constexpr (kOf == Kept::f16) out[i] = numerics::f16ToFloat(x[i]);
        if constexpr (kOf == Kept::bf16) out[i] = numerics::bf16ToFloat(x[i]);
        if constexpr (kOf == Kept::f8e4m3) out[i] = numerics::f8e4m3ToFloat(x[i]);
        if constexpr (kOf == Kept::f8e5m2) out[i] = numerics::f8e5m2ToFloat(x[i]);
        if constexpr (kOf == Kept::i8) out[i] = static_cast<float>(x[i]);
        if constexpr (kOf == Kept::i32 || kOf == Kept::f64) out[i] = numerics::toFloatRn(x[i]);
    }
}

/// The code of a result, rounded once to nearest even.
template <Kept kOf>
__global__ void narrow(const float* x, std::size_t n, typename KeptType<kOf>::type* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) {
        if constexpr (kOf == Kept::f16) out[i] = numerics::f16FromFloat(x[i]);
        if constexpr (kOf == Kept::bf16) out[i] = numerics::bf16FromFloat(x[i]);
        if constexpr (kOf == Kept::f8e4m3) out[i] = numerics::f8e4m3FromFloat(x[i]);
        if constexpr (kOf == Kept::f8e5m2) out[i] = numerics::f8e5m2FromFloat(x[i]);
    }
}

/// Rounded to the format and kept in fp32: what another kernel would read back.
template <Kept kOf>
__global__ void roundInPlace(float* x, std::size_t n) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) {
        if constexpr (kOf == Kept::f16) x[i] = numerics::roundToF16(x[i]);
        if constexpr (kOf == Kept::bf16) x[i] = numerics::roundToBf16(x[i]);
    }
}

__global__ void flushFloats(float* x, std::size_t n) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) x[i] = numerics::flushed(x[i]);
}
__global__ void flushBf16(std::uint16_t* x, std::size_t n) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) x[i] = numerics::flushedBf16(x[i]);
}

/// Elements first, first + 1, ... of a counter-based stream.
__global__ void fillNormal(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, std::size_t n,
                           float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep())
        out[i] = numerics::normalAt(seed, stream, first + i);
}
__global__ void fillUniform(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, std::size_t n,
                            float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep())
        out[i] = numerics::uniformAt(seed, stream, first + i);
}

} // namespace divdet::cuda::kernels
