#include "cuda/data.cuh"
#include "cuda/module/launches.h"

namespace divdet::cuda {

void moveElements(cudaStream_t stream, const float* x, const StridedShape& shape, std::size_t n, float* out) {
    DIVDET_LAUNCH(kernels::moveElements, blocksFor(n), kThreads, stream, x, shape, n, out);
}

void gatherRows(cudaStream_t stream, const float* indices, const float* table, std::size_t rows,
                std::size_t width, std::size_t n, float* out) {
    DIVDET_LAUNCH(kernels::gatherRows, blocksFor(n), kThreads, stream, indices, table, rows, width, n, out);
}

void quantizeElements(cudaStream_t stream, const float* x, const float* scale, const float* zero, Channels by,
                      float low, float high, std::size_t n, float* out) {
    DIVDET_LAUNCH(kernels::quantizeElements, blocksFor(n), kThreads, stream, x, scale, zero, by, low, high, n,
                  out);
}

void dequantizeElements(cudaStream_t stream, const float* x, const float* scale, const float* zero,
                        Channels by, std::size_t n, float* out) {
    DIVDET_LAUNCH(kernels::dequantizeElements, blocksFor(n), kThreads, stream, x, scale, zero, by, n, out);
}

void listSources(cudaStream_t stream, const float* indices, std::size_t sources, std::size_t targets,
                 std::uint32_t* counts, std::uint32_t* first, std::uint32_t* rows) {
    DIVDET_LAUNCH(kernels::countSources, blocksFor(sources), kThreads, stream, indices, sources, targets,
                  counts);
    DIVDET_LAUNCH(kernels::startLists, 1u, 1u, stream, counts, targets, first);
    DIVDET_LAUNCH(kernels::listSources, blocksFor(targets), kThreads, stream, indices, sources, targets,
                  first, rows);
}

void scatterOrdered(cudaStream_t stream, const float* source, const std::uint32_t* rows,
                    const std::uint32_t* first, std::size_t targets, std::size_t width, SumOrder order,
                    bool roundedSum, numerics::PartialFormat accumulator, float* out) {
    DIVDET_LAUNCH(kernels::scatterOrdered, blocksFor(targets * width), kThreads, stream, source, rows, first,
                  targets, width, order, roundedSum, accumulator, out);
}

void scatterAsTheyArrived(cudaStream_t stream, const float* source, const std::uint32_t* rows,
                          const std::uint32_t* first, std::size_t sources, std::size_t targets,
                          std::size_t width, std::uint64_t seed, std::uint32_t* order, float* out) {
    const std::size_t tiles = (width + numerics::kArrivalTile - 1) / numerics::kArrivalTile;
    DIVDET_LAUNCH(kernels::drawScatterArrivals, blocksFor(targets * tiles), kThreads, stream, first, targets,
                  sources, tiles, seed, order);
    DIVDET_LAUNCH(kernels::scatterAsTheyArrived, blocksFor(targets * width), kThreads, stream, source, rows,
                  first, order, sources, targets, width, out);
}

void unfoldWindows(cudaStream_t stream, const float* x, const Convolution& g, std::size_t count,
                   float* windows) {
    DIVDET_LAUNCH(kernels::unfoldWindows, blocksFor(count), kThreads, stream, x, g, count, windows);
}

void unfoldWeights(cudaStream_t stream, const float* w, const Convolution& g, std::size_t count,
                   float* columns) {
    DIVDET_LAUNCH(kernels::unfoldWeights, blocksFor(count), kThreads, stream, w, g, count, columns);
}

void productsToOutput(cudaStream_t stream, const float* products, const Convolution& g, std::size_t n,
                      float* out) {
    DIVDET_LAUNCH(kernels::productsToOutput, blocksFor(n), kThreads, stream, products, g, n, out);
}

void outputToProducts(cudaStream_t stream, const float* output, const Convolution& g, std::size_t n,
                      float* products) {
    DIVDET_LAUNCH(kernels::outputToProducts, blocksFor(n), kThreads, stream, output, g, n, products);
}

} // namespace divdet::cuda
