#pragma once
#include "cuda/kernel_types.h"
#include "cuda/launch.cuh"
#include "numerics/partials.h"
#include "numerics/reduction.h"

/// Matrix products in fp32 on the ordinary cores: C[m,n] = start + A[m,k] B[k,n], row-major, rows of A and B
/// `lda` and `ldb` elements apart, C dense. Every output is summed in the published order it is named after
/// (numerics/reduction.h); the kernels only choose which thread does which output.
namespace divdet::cuda::kernels {

/// How a chain takes its next product. `format` f32 is the plain fma; the others round the running sum at
/// every addition (host: gemmRoundedAccumulator).
template <numerics::PartialFormat kFormat>
struct Chain {
    __device__ static float add(float a, float b, float acc) {
        return numerics::roundPartial(numerics::fmaRn(a, b, acc), kFormat);
    }
};

inline constexpr unsigned kChainTile = 64; ///< rows and columns of a block's outputs
inline constexpr unsigned kChainDepth = 16;
inline constexpr unsigned kChainEach = 4; ///< rows and columns of a thread's outputs
static_assert((kChainTile / kChainEach) * (kChainTile / kChainEach) == kThreads);

/// One fma chain per output over the terms of chunk blockIdx.z: [z length, (z + 1) length). Chunk z's results
/// lie at c + z m n; only chunk 0 begins with `start`. A single chunk is the sequential order.
template <class Step>
__global__ void __launch_bounds__(kThreads)
    gemmChains(GemmShape s, Operands in, StartValues start, std::size_t length, float* c) {
    __shared__ float tileA[kChainDepth][kChainTile + 1];
    __shared__ float tileB[kChainDepth][kChainTile];
    const unsigned t = threadIdx.x;
    const std::size_t row0 = static_cast<std::size_t>(blockIdx.y) * kChainTile;
    const std::size_t column0 = static_cast<std::size_t>(blockIdx.x) * kChainTile;
    const unsigned tileRow = t / (kChainTile / kChainEach) * kChainEach;
    const unsigned tileColumn = t % (kChainTile / kChainEach) * kChainEach;
    const std::size_t first = blockIdx.z * length;
    const std::size_t last = first + length < s.k ? first + length : s.k;

    float acc[kChainEach][kChainEach];
    for (unsigned i = 0; i < kChainEach; ++i)
        for (unsigned j = 0; j < kChainEach; ++j) {
            const std::size_t row = row0 + tileRow + i, column = column0 + tileColumn + j;
            const bool inside = row < s.m && column < s.n && blockIdx.z == 0;
            acc[i][j] = inside ? start.at(row, column, s.n) : 0.0f;
        }
    for (std::size_t k0 = first; k0 < last; k0 += kChainDepth) {
        for (unsigned e = t; e < kChainTile * kChainDepth; e += kThreads) {
            const std::size_t row = row0 + e / kChainDepth, k = k0 + e % kChainDepth;
            tileA[e % kChainDepth][e / kChainDepth] = row < s.m && k < last ? in.a[row * in.lda + k] : 0.0f;
        }
        for (unsigned e = t; e < kChainTile * kChainDepth; e += kThreads) {
            const std::size_t column = column0 + e % kChainTile, k = k0 + e / kChainTile;
            tileB[e / kChainTile][e % kChainTile] =
                column < s.n && k < last ? in.b[k * in.ldb + column] : 0.0f;
        }
        __syncthreads();
        // Padding beyond `last` must not be added: fma(0, 0, -0) is +0.
        const unsigned depth = last - k0 < kChainDepth ? static_cast<unsigned>(last - k0) : kChainDepth;
        for (unsigned k = 0; k < depth; ++k) {
            float a[kChainEach], b[kChainEach];
            for (unsigned i = 0; i < kChainEach; ++i) a[i] = tileA[k][tileRow + i];
            for (unsigned j = 0; j < kChainEach; ++j) b[j] = tileB[k][tileColumn + j];
            for (unsigned i = 0; i < kChainEach; ++i)
                for (unsigned j = 0; j < kChainEach; ++j) acc[i][j] = Step::add(a[i], b[j], acc[i][j]);
        }
        __syncthreads();
    }
    float* const out = c + blockIdx.z * s.m * s.n;
    for (unsigned i = 0; i < kChainEach; ++i)
        for (unsigned j = 0; j < kChainEach; ++j) {
            const std::size_t row = row0 + tileRow + i, column = column0 + tileColumn + j;
            if (row < s.m && column < s.n) out[row * s.n + column] = acc[i][j];
        }
}

/// The pairwise tree, an output per thread.
__global__ void gemmPairwise(GemmShape s, Operands in, StartValues start, float* c) {
    for (std::size_t at = firstItem(); at < s.m * s.n; at += itemStep()) {
        const std::size_t row = at / s.n, column = at % s.n;
        const numerics::DotTerms terms{in.a + row * in.lda, in.b + column, 1, in.ldb};
        c[at] = numerics::reduce(terms, s.k, {numerics::Order::pairwise, 1}, start.at(row, column, s.n));
    }
}

inline constexpr unsigned kStridedColumns = 8; ///< of one row, summed by one block

/// The strided tree: thread t is lane t of every output of the block. Grid: (columns / 8, rows).
__global__ void __launch_bounds__(kThreads)
    gemmStrided(GemmShape s, Operands in, StartValues start, float* c) {
    static_assert(kThreads == numerics::kLanes);
    __shared__ float lane[kStridedColumns][kThreads];
    const unsigned t = threadIdx.x;
    const std::size_t column0 = static_cast<std::size_t>(blockIdx.x) * kStridedColumns;
    const std::size_t left = s.n - column0;
    const unsigned columns = left < kStridedColumns ? static_cast<unsigned>(left) : kStridedColumns;
    for (std::size_t row = blockIdx.y; row < s.m; row += gridDim.y) {
        const float* const a = in.a + row * in.lda;
        for (unsigned j = 0; j < columns; ++j) {
            const float from = t == 0 ? start.at(row, column0 + j, s.n) : 0.0f;
            const numerics::DotTerms terms{a, in.b + column0 + j, 1, in.ldb};
            lane[j][t] = numerics::chain(terms, t, s.k, kThreads, from);
        }
        __syncthreads();
        for (unsigned o = kThreads / 2; o > 0; o /= 2) {
            if (t < o)
                for (unsigned j = 0; j < columns; ++j)
                    lane[j][t] = numerics::addRn(lane[j][t], lane[j][t + o]);
            __syncthreads();
        }
        if (t < columns) c[row * s.n + column0 + t] = lane[t][0];
        __syncthreads();
    }
}

} // namespace divdet::cuda::kernels
