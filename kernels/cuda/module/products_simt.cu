#include "cuda/chunks.cuh"
#include "cuda/gemm_simt.cuh"
#include "cuda/module/launches.h"

namespace divdet::cuda {
namespace {

constexpr unsigned kMaxRows = 65535; ///< the second and third extent of a grid

unsigned tiles(std::size_t n, unsigned tile) {
    return static_cast<unsigned>((n + tile - 1) / tile);
}

} // namespace

void gemmChains(cudaStream_t stream, GemmShape shape, Operands in, StartValues start,
                numerics::PartialFormat rounding, std::size_t length, std::size_t chunks, float* c) {
    using kernels::Chain;
    const dim3 grid(tiles(shape.n, kernels::kChainTile), tiles(shape.m, kernels::kChainTile),
                    static_cast<unsigned>(chunks));
    switch (rounding) {
    case numerics::PartialFormat::f32:
        DIVDET_LAUNCH((kernels::gemmChains<Chain<numerics::PartialFormat::f32>>), grid, kThreads, stream,
                      shape, in, start, length, c);
        return;
    case numerics::PartialFormat::bf16:
        DIVDET_LAUNCH((kernels::gemmChains<Chain<numerics::PartialFormat::bf16>>), grid, kThreads, stream,
                      shape, in, start, length, c);
        return;
    case numerics::PartialFormat::f16:
        DIVDET_LAUNCH((kernels::gemmChains<Chain<numerics::PartialFormat::f16>>), grid, kThreads, stream,
                      shape, in, start, length, c);
        return;
    }
}

void gemmPairwise(cudaStream_t stream, GemmShape shape, Operands in, StartValues start, float* c) {
    DIVDET_LAUNCH(kernels::gemmPairwise, blocksFor(shape.m * shape.n), kThreads, stream, shape, in, start, c);
}

void gemmStrided(cudaStream_t stream, GemmShape shape, Operands in, StartValues start, float* c) {
    const auto rows = static_cast<unsigned>(shape.m < kMaxRows ? shape.m : kMaxRows);
    const dim3 grid(tiles(shape.n, kernels::kStridedColumns), rows);
    DIVDET_LAUNCH(kernels::gemmStrided, grid, kThreads, stream, shape, in, start, c);
}

void combineInOrder(cudaStream_t stream, const float* partials, std::size_t count, std::size_t size,
                    numerics::PartialFormat format, float* c) {
    DIVDET_LAUNCH(kernels::combineInOrder, blocksFor(size), kThreads, stream, partials, count, size, format,
                  c);
}

void drawArrivals(cudaStream_t stream, TileGrid tileGrid, std::uint64_t seed, std::size_t count,
                  std::uint32_t* order) {
    DIVDET_LAUNCH(kernels::drawArrivals, blocksFor(tileGrid.rows * tileGrid.columns), kThreads, stream,
                  tileGrid, seed, count, order);
}

void combineAsTheyArrived(cudaStream_t stream, GemmShape shape, const float* partials, std::size_t count,
                          TileGrid tileGrid, const std::uint32_t* order, StartValues start,
                          numerics::PartialFormat format, float* c) {
    DIVDET_LAUNCH(kernels::combineAsTheyArrived, blocksFor(shape.m * shape.n), kThreads, stream, shape,
                  partials, count, tileGrid, order, start, format, c);
}

void takeTile(cudaStream_t stream, const float* wide, std::size_t stride, std::size_t rows,
              std::size_t columns, float* tile) {
    DIVDET_LAUNCH(kernels::takeTile, blocksFor(rows * columns), kThreads, stream, wide, stride, rows, columns,
                  tile);
}

void putTile(cudaStream_t stream, const float* tile, std::size_t rows, std::size_t columns, float* wide,
             std::size_t stride) {
    DIVDET_LAUNCH(kernels::putTile, blocksFor(rows * columns), kThreads, stream, tile, rows, columns, wide,
                  stride);
}

} // namespace divdet::cuda
