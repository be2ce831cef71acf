#pragma once
#include "cuda/kernel_types.h"
#include "cuda/launch.cuh"
#include "cuda/mma.cuh"

/// Matrix products on the tensor cores. Operands come packed (Packed in kernel_types.h), both with k along
/// the row, so that a fragment register is one word of shared memory. c carries from one instruction to the
/// next, in increasing k, and zero padding adds nothing (numerics/tensor_core.h).
namespace divdet::cuda::kernels {

inline constexpr unsigned kMmaRows = 128, kMmaColumns = 128; ///< outputs of a block
inline constexpr unsigned kMmaDepth = 16;             ///< words of k in shared memory: two instructions
inline constexpr unsigned kMmaStride = kMmaDepth + 4; ///< no two lanes of a fragment in one bank
inline constexpr unsigned kMmaWarpRows = 64, kMmaWarpColumns = 32;
static_assert(kMmaRows / kMmaWarpRows * (kMmaColumns / kMmaWarpColumns) * 32 == kThreads);

/// The words that a thread carries from global to shared memory: quads of 4 words, in a tile of 128 rows.
struct TileCopy {
    static constexpr unsigned kQuads = kMmaRows * kMmaDepth / 4 / kThreads;
    uint4 quad[kQuads];

    __device__ static unsigned row(unsigned i) { return (threadIdx.x + i * kThreads) / (kMmaDepth / 4); }
    __device__ static unsigned word(unsigned i) { return (threadIdx.x + i * kThreads) % (kMmaDepth / 4) * 4; }
    __device__ void fetch(Packed from, std::size_t row0, std::size_t rows, std::size_t word0,
                          std::size_t lastWord) {
        for (unsigned i = 0; i < kQuads; ++i) {
            const std::size_t r = row0 + row(i), w = word0 + word(i);
            quad[i] = r < rows && w < lastWord
                          ? *reinterpret_cast<const uint4*>(from.words + r * from.perRow + w)
                          : uint4{0, 0, 0, 0};
        }
    }
    __device__ void put(std::uint32_t* tile) const {
        for (unsigned i = 0; i < kQuads; ++i)
            *reinterpret_cast<uint4*>(tile + row(i) * kMmaStride + word(i)) = quad[i];
    }
};

/// C = start + A B over words [z length, (z + 1) length) of k for chunk z = blockIdx.z; chunk z's results lie
/// at c + z m n, and only chunk 0 begins with `start`. `length` is a multiple of 4 words and `words` the end
/// of k. Grid: (columns / 128, rows / 128, chunks).
template <class Mma>
__global__ void __launch_bounds__(kThreads)
    gemmMma(std::size_t m, std::size_t n, Packed a, Packed b, std::size_t words, std::size_t length,
            StartValues start, float* c) {
    __shared__ __align__(16) std::uint32_t tileA[2][kMmaRows * kMmaStride];
    __shared__ __align__(16) std::uint32_t tileB[2][kMmaColumns * kMmaStride];
    constexpr unsigned kDown = kMmaWarpRows / 16, kAcross = kMmaWarpColumns / 8;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned g = lane / 4, t = lane % 4;
    const unsigned warpRow = warp / (kMmaColumns / kMmaWarpColumns) * kMmaWarpRows;
    const unsigned warpColumn = warp % (kMmaColumns / kMmaWarpColumns) * kMmaWarpColumns;
    const std::size_t row0 = static_cast<std::size_t>(blockIdx.y) * kMmaRows;
    const std::size_t column0 = static_cast<std::size_t>(blockIdx.x) * kMmaColumns;
    const std::size_t first = blockIdx.z * length;
    const std::size_t last = first + length < words ? first + length : words;

    typename Mma::Register acc[kDown][kAcross][Mma::kRegisters];
    for (unsigned i = 0; i < kDown; ++i)
        for (unsigned j = 0; j < kAcross; ++j) {
            float x[4];
            for (unsigned e = 0; e < 4; ++e) {
                const std::size_t row = row0 + warpRow + i * 16 + g + e / 2 * 8;
                const std::size_t column = column0 + warpColumn + j * 8 + 2 * t + e % 2;
                const bool inside = row < m && column < n && blockIdx.z == 0;
                x[e] = inside ? start.at(row, column, n) : 0.0f;
            }
            Mma::load(acc[i][j], x);
        }

    const bool busy = row0 + warpRow < m && column0 + warpColumn < n; // the same for the whole warp
    TileCopy nextA, nextB;
    nextA.fetch(a, row0, m, first, last);
    nextB.fetch(b, column0, n, first, last);
    unsigned now = 0;
    for (std::size_t word = first; word < last; word += kMmaDepth, now ^= 1) {
        nextA.put(tileA[now]);
        nextB.put(tileB[now]);
        // One barrier per step is enough: the other buffer is written only after all have passed this one.
        __syncthreads();
        if (word + kMmaDepth < last) {
            nextA.fetch(a, row0, m, word + kMmaDepth, last);
            nextB.fetch(b, column0, n, word + kMmaDepth, last);
        }
        for (unsigned at = 0; at < kMmaDepth && busy; at += 8) {
            if (word + at >= last) break; // the same for the whole block
            std::uint32_t left[kDown][4], right[kAcross][2];
            for (unsigned i = 0; i < kDown; ++i)
                for (unsigned r = 0; r < 4; ++r)
                    left[i][r] =
                        tileA[now][(warpRow + i * 16 + g + r % 2 * 8) * kMmaStride + at + t + r / 2 * 4];
            for (unsigned j = 0; j < kAcross; ++j)
                for (unsigned r = 0; r < 2; ++r)
                    right[j][r] = tileB[now][(warpColumn + j * 8 + g) * kMmaStride + at + t + r * 4];
            for (unsigned i = 0; i < kDown; ++i)
                for (unsigned j = 0; j < kAcross; ++j) Mma::step(acc[i][j], left[i], right[j]);
        }
    }

    float* const out = c + blockIdx.z * m * n;
    for (unsigned i = 0; i < kDown; ++i)
        for (unsigned j = 0; j < kAcross; ++j) {
            float x[4];
            Mma::store(acc[i][j], x);
            for (unsigned e = 0; e < 4; ++e) {
                const std::size_t row = row0 + warpRow + i * 16 + g + e / 2 * 8;
                const std::size_t column = column0 + warpColumn + j * 8 + 2 * t + e % 2;
                if (row < m && column < n) out[row * n + column] = x[e];
            }
        }
}

} // namespace divdet::cuda::kernels
