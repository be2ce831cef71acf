#pragma once
#include "cuda/kernel_types.h"
#include "cuda/launch.cuh"
#include "numerics/partials.h"

/// How the results of chunks become one sum (numerics/partials.h). `partials` holds `count` matrices of m x n
/// one after the other. A missing barrier repeats single tiles, which therefore know their place.
namespace divdet::cuda::kernels {

/// Chunk 0 already contains the start.
__global__ void combineInOrder(const float* partials, std::size_t count, std::size_t size,
                               numerics::PartialFormat format, float* c) {
    for (std::size_t at = firstItem(); at < size; at += itemStep()) {
        float sum = numerics::roundPartial(partials[at], format);
        for (std::size_t i = 1; i < count; ++i)
            sum = numerics::addPartial(sum, partials[i * size + at], format);
        c[at] = sum;
    }
}

/// order[tile][count]: the order of arrival of every tile.
__global__ void drawArrivals(TileGrid tiles, std::uint64_t seed, std::size_t count, std::uint32_t* order) {
    for (std::size_t t = firstItem(); t < tiles.rows * tiles.columns; t += itemStep())
        numerics::arrivalOrder(seed, tiles.row0 + static_cast<std::uint32_t>(t / tiles.columns),
                               tiles.column0 + static_cast<std::uint32_t>(t % tiles.columns),
                               order + t * count, count);
}

__global__ void combineAsTheyArrived(GemmShape s, const float* partials, std::size_t count, TileGrid tiles,
                                     const std::uint32_t* order, StartValues start,
                                     numerics::PartialFormat format, float* c) {
    for (std::size_t at = firstItem(); at < s.m * s.n; at += itemStep()) {
        const std::size_t row = at / s.n, column = at % s.n;
        const std::uint32_t* const p = order + tiles.of(row, column) * count;
        float sum = numerics::roundPartial(start.at(row, column, s.n), format);
        for (std::size_t i = 0; i < count; ++i)
            sum = numerics::addPartial(sum, partials[p[i] * s.m * s.n + at], format);
        c[at] = sum;
    }
}

/// One tile of a larger matrix, taken out or put back: rows x columns at `wide`, rows `stride` apart.
__global__ void takeTile(const float* wide, std::size_t stride, std::size_t rows, std::size_t columns,
                         float* tile) {
    for (std::size_t i = firstItem(); i < rows * columns; i += itemStep())
        tile[i] = wide[i / columns * stride + i % columns];
}
__global__ void putTile(const float* tile, std::size_t rows, std::size_t columns, float* wide,
                        std::size_t stride) {
    for (std::size_t i = firstItem(); i < rows * columns; i += itemStep())
        wide[i / columns * stride + i % columns] = tile[i];
}

} // namespace divdet::cuda::kernels
