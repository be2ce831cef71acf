#pragma once
#include "cuda/kernel_types.h"
#include "cuda/launch.cuh"
#include "numerics/half_written.h"
#include "numerics/narrow_operands.h"

/// What reaches the multipliers: scales, codes and rounded values (numerics/quantize.h, narrow_operands.h,
/// rounding.h), all held in fp32, and then packed as the tensor core reads them.
namespace divdet::cuda::kernels {

/// Bits of |x|; they order as the values do. 0 for NaN, which maxima skip.
__device__ inline std::uint32_t magnitudeBits(float x) {
    const std::uint32_t u = numerics::bitsOf(x) & 0x7FFFFFFFu;
    return u > 0x7F800000u ? 0u : u;
}

/// largest[i] = bits of max |x| over row i, column i, or everything (i = 0). The target starts as zeros; a
/// maximum does not depend on the order in which it is taken.
__global__ void largestInRows(const float* x, std::size_t rows, std::size_t width, std::uint32_t* largest) {
    for (std::size_t r = blockIdx.x; r < rows; r += gridDim.x) {
        std::uint32_t mine = 0;
        for (std::size_t i = threadIdx.x; i < width; i += blockDim.x) {
            const std::uint32_t u = magnitudeBits(x[r * width + i]);
            if (u > mine) mine = u;
        }
        atomicMax(largest + r, mine);
    }
}
__global__ void largestInColumns(const float* x, std::size_t rows, std::size_t width,
                                 std::uint32_t* largest) {
    for (std::size_t j = firstItem(); j < width; j += itemStep()) {
        std::uint32_t mine = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            const std::uint32_t u = magnitudeBits(x[r * width + j]);
            if (u > mine) mine = u;
        }
        largest[j] = mine;
    }
}
__global__ void largestOfAll(const float* x, std::size_t count, std::uint32_t* largest) {
    std::uint32_t mine = 0;
    for (std::size_t i = firstItem(); i < count; i += itemStep()) {
        const std::uint32_t u = magnitudeBits(x[i]);
        if (u > mine) mine = u;
    }
    atomicMax(largest, mine);
}

/// scales[i] = largest value the format holds -> step of its grid. `clipped` (or none: -1) is made from
/// clip times its maximum.
__global__ void int8Scales(const std::uint32_t* largest, std::size_t count, std::int64_t clipped, float clip,
                           float* scales) {
    for (std::size_t i = firstItem(); i < count; i += itemStep()) {
        const float x = numerics::floatFromBits(largest[i]);
        const bool hit = static_cast<std::int64_t>(i) == clipped;
        scales[i] = numerics::int8Scale(hit ? numerics::mulRn(x, clip) : x);
    }
}
__global__ void f8Scale(const std::uint32_t* largest, numerics::OperandFormat format, float* scale) {
    if (firstItem() == 0) *scale = numerics::f8Scale(numerics::floatFromBits(*largest), format);
}
/// scales[at] = scales[from]: a column scaled back by another one's scale.
__global__ void copyScale(float* scales, std::size_t from, std::size_t at) {
    if (firstItem() == 0) scales[at] = scales[from];
}

/// Codes held in floats, scale number row rowStep + column columnStep.
__global__ void int8Codes(const float* x, std::size_t rows, std::size_t width, const float* scales,
                          std::size_t rowStep, std::size_t columnStep, float* codes) {
    for (std::size_t i = firstItem(); i < rows * width; i += itemStep())
        codes[i] = static_cast<float>(
            numerics::quantizeInt8(x[i], scales[i / width * rowStep + i % width * columnStep]));
}
__global__ void f8Codes(const float* x, std::size_t count, const float* scale, numerics::OperandFormat format,
                        float* codes) {
    for (std::size_t i = firstItem(); i < count; i += itemStep())
        codes[i] = numerics::quantizeF8(x[i], *scale, format);
}
/// Weights [k, n] through int4 and back, a scale per column and `group` rows.
__global__ void int4Weights(const float* w, std::size_t k, std::size_t n, std::size_t group, float* out) {
    const std::size_t groups = (k + group - 1) / group;
    for (std::size_t i = firstItem(); i < groups * n; i += itemStep()) {
        const std::size_t first = i / n * group, column = i % n;
        const std::size_t count = k - first < group ? k - first : group;
        const float scale = numerics::int4Scale(numerics::maxAbs(w + first * n + column, count, n));
        for (std::size_t r = first; r < first + count; ++r) {
            const int code = numerics::quantizeInt4(w[r * n + column], scale);
            out[r * n + column] = numerics::dequantizeInt4(code, scale);
        }
    }
}

__device__ inline float roundedOperand(float x, OperandRounding how) {
    switch (how) {
    case OperandRounding::tf32NearestEven:
        return numerics::roundToTf32(x, numerics::Tf32Rounding::nearestEven);
    case OperandRounding::tf32NearestAway:
        return numerics::roundToTf32(x, numerics::Tf32Rounding::nearestAway);
    case OperandRounding::tf32TowardZero:
        return numerics::roundToTf32(x, numerics::Tf32Rounding::towardZero);
    case OperandRounding::bf16:
        return numerics::roundToBf16(x);
    case OperandRounding::f16:
        return numerics::roundToF16(x);
    }
    return x;
}
__global__ void roundOperand(const float* x, std::size_t count, OperandRounding how, float* out) {
    for (std::size_t i = firstItem(); i < count; i += itemStep()) out[i] = roundedOperand(x[i], how);
}

/// Columns of B [k, n] as a tile that lost a barrier reads them; `b` points at the first column.
__global__ void readHalfWritten(const float* b, std::size_t ldb, std::size_t k, std::size_t columns,
                                numerics::HalfWritten what, float* out) {
    for (std::size_t i = firstItem(); i < k * columns; i += itemStep()) {
        const std::int64_t row = numerics::rowRead(what, i / columns);
        out[i] = row < 0 ? 0.0f : b[static_cast<std::size_t>(row) * ldb + i % columns];
    }
}

/// How a value of the operand format, held in a float, is coded in a word; exact.
struct CodeF16 {
    static constexpr unsigned kElements = 2;
    __device__ static std::uint32_t of(float x) { return numerics::f16FromFloat(x); }
};
struct CodeBf16 {
    static constexpr unsigned kElements = 2;
    __device__ static std::uint32_t of(float x) { return numerics::bf16FromFloat(x); }
};
struct CodeTf32 {
    static constexpr unsigned kElements = 1;
    __device__ static std::uint32_t of(float x) { return numerics::bitsOf(x); }
};
struct CodeInt8 {
    static constexpr unsigned kElements = 4;
    __device__ static std::uint32_t of(float x) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(x)) & 0xFFu;
    }
};
struct CodeF8e4m3 {
    static constexpr unsigned kElements = 4;
    __device__ static std::uint32_t of(float x) { return numerics::f8e4m3FromFloat(x); }
};
struct CodeF8e5m2 {
    static constexpr unsigned kElements = 4;
    __device__ static std::uint32_t of(float x) { return numerics::f8e5m2FromFloat(x); }
};

inline constexpr unsigned kPackRows = 32, kPackWords = 8; ///< of a block of 256 threads

/// out[row][word]: element (row, k) of the source is x[row rowStep + k kStep]; zeros beyond k. Threads follow
/// rows when those are neighbours in memory (a weight), words otherwise. Grid: (words / 8, rows / 32).
template <class Code>
__global__ void packOperand(const float* x, std::size_t rows, std::size_t k, std::size_t rowStep,
                            std::size_t kStep, std::size_t perRow, std::uint32_t* out) {
    const bool acrossRows = rowStep == 1;
    const unsigned t = threadIdx.x;
    const unsigned inRow = acrossRows ? t % kPackRows : t / kPackWords;
    const unsigned inWord = acrossRows ? t / kPackRows : t % kPackWords;
    const std::size_t word = static_cast<std::size_t>(blockIdx.x) * kPackWords + inWord;
    if (word >= perRow) return;
    for (std::size_t row = static_cast<std::size_t>(blockIdx.y) * kPackRows + inRow; row < rows;
         row += static_cast<std::size_t>(gridDim.y) * kPackRows) {
        std::uint32_t bits = 0;
        for (unsigned e = 0; e < Code::kElements; ++e) {
            const std::size_t at = word * Code::kElements + e;
            if (at < k) bits |= Code::of(x[row * rowStep + at * kStep]) << (e * 32 / Code::kElements);
        }
        out[row * perRow + word] = bits;
    }
}

/// c = c s + start by one fma, or c s without a start; s = (scale of the row)(scale of the column).
__global__ void scaleBack(GemmShape s, const float* rowScales, std::size_t rowStep, const float* columnScales,
                          std::size_t columnStep, StartValues start, float* c) {
    for (std::size_t at = firstItem(); at < s.m * s.n; at += itemStep()) {
        const std::size_t row = at / s.n, column = at % s.n;
        const float scale = numerics::mulRn(rowScales[row * rowStep], columnScales[column * columnStep]);
        c[at] = start.values ? numerics::fmaRn(c[at], scale, start.at(row, column, s.n))
                             : numerics::mulRn(c[at], scale);
    }
}

} // namespace divdet::cuda::kernels
