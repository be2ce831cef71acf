#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "numerics/partials.h"
#include "numerics/reduction.h"

/// What kernels and the code that starts them share: shapes, operands, choices. Members for the device exist
/// only where device code is compiled.
#if defined(__CUDACC__) || defined(DIVDET_CUDA_ON_CPU)
#define DIVDET_DEVICE_CODE 1
#endif

namespace divdet::cuda {

struct GemmShape {
    std::size_t m, n, k;
};

/// fp32 operands of one product.
struct Operands {
    const float* a;
    const float* b;
    std::size_t lda, ldb;
};

/// What accumulators hold before the first product: +0, n values (the same for every row) or m n values.
struct StartValues {
    const float* values = nullptr;
    bool perColumn = false;
#ifdef DIVDET_DEVICE_CODE
    __device__ float at(std::size_t row, std::size_t column, std::size_t n) const {
        if (!values) return 0.0f;
        return values[perColumn ? column : row * n + column];
    }
#endif
};

/// Rows of 32-bit words, k in increasing order, zeros up to a multiple of 16 bytes.
struct Packed {
    const std::uint32_t* words;
    std::size_t perRow; ///< a multiple of 4
};

/// The tensor-core instructions that there are (mma.cuh).
enum class MmaKind : std::uint8_t { f16, f16InF16, bf16, tf32, f8e4m3, f8e5m2, int8 };

/// Tiles of kArrivalTile outputs; (row0, column0) is the place of the first in the whole product.
struct TileGrid {
    std::size_t rows, columns;
    std::uint32_t row0, column0;
#ifdef DIVDET_DEVICE_CODE
    __device__ std::size_t of(std::size_t row, std::size_t column) const {
        return row / numerics::kArrivalTile * columns + column / numerics::kArrivalTile;
    }
#endif
};

enum class OperandRounding : std::uint8_t { tf32NearestEven, tf32NearestAway, tf32TowardZero, bf16, f16 };

using numerics::SumOrder;

/// How rows are summed when the order is a slot: numerics::reduce, chunks combined in another format or in
/// the order of their arrival, or a running sum rounded at every addition.
struct SumRule {
    SumOrder order;
    bool inChunks = false; ///< of order.splits, combined in `format`
    bool arrival = false;  ///< of the seed, else in order
    std::uint64_t seed = 0;
    numerics::PartialFormat format = numerics::PartialFormat::f32;
    bool roundedSum = false; ///< to `accumulator` at every addition
    numerics::PartialFormat accumulator = numerics::PartialFormat::f32;
};

enum class Function : std::uint8_t { gelu, geluTanh, silu, relu, fastGelu, fastGeluTanh, fastSilu };

enum class Kept : std::uint8_t { f32, f16, bf16, f8e4m3, f8e5m2, i8, i32, f64 };

inline constexpr unsigned kMaxRank = 8;

/// A row-major output read from strided places of the input.
struct StridedShape {
    unsigned rank;
    std::size_t extent[kMaxRank];
    std::int64_t stride[kMaxRank]; ///< of the input, in elements
};

/// Scale number (i / inner) % channels; a null zero point is 0.
struct Channels {
    std::size_t inner, channels;
#ifdef DIVDET_DEVICE_CODE
    __device__ std::size_t of(std::size_t i) const {
        return i / inner % channels;
    }
#endif
};

/// A 2-D convolution as products (host: twin_operands.h): sizes as in ConvGeometry of core.
struct Convolution {
    std::int64_t n, c, h, w, o, kh, kw, outH, outW, groups;
    std::int64_t strideY, strideX, dilationY, dilationX, padTop, padLeft;
    DIVDET_HD_CONSTEXPR std::int64_t terms() const { return c / groups * kh * kw; }
    DIVDET_HD_CONSTEXPR std::int64_t places() const { return outH * outW; }
};

} // namespace divdet::cuda
