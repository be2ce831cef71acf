#pragma once
#include "cuda/kernel_types.h"
#include "cuda/row_number.cuh"
#include "numerics/partials.h"
#include "numerics/quantize.h"
#include "numerics/scatter.h"

/// Ops that move, recode or gather elements, and the ordered scatter-add.
namespace divdet::cuda::kernels {

__global__ void moveElements(const float* x, StridedShape s, std::size_t n, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) {
        std::size_t rest = i;
        std::int64_t from = 0;
        for (unsigned d = s.rank; d-- > 0;) {
            from += static_cast<std::int64_t>(rest % s.extent[d]) * s.stride[d];
            rest /= s.extent[d];
        }
        out[i] = x[from];
    }
}

__global__ void gatherRows(const float* indices, const float* table, std::size_t rows, std::size_t width,
                           std::size_t n, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep())
        out[i] = table[rowNumber(indices[i / width], rows) * width + i % width];
}

__global__ void quantizeElements(const float* x, const float* scale, const float* zero, Channels by,
                                 float low, float high, std::size_t n, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) {
        const std::size_t c = by.of(i);
        out[i] = numerics::quantizeCode(x[i], scale[c], zero ? zero[c] : 0.0f, low, high);
    }
}
__global__ void dequantizeElements(const float* x, const float* scale, const float* zero, Channels by,
                                   std::size_t n, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) {
        const std::size_t c = by.of(i);
        out[i] = numerics::dequantizeCode(x[i], scale[c], zero ? zero[c] : 0.0f);
    }
}

/// counts[t] = source rows that go to target row t.
__global__ void countSources(const float* indices, std::size_t sources, std::size_t targets,
                             std::uint32_t* counts) {
    for (std::size_t i = firstItem(); i < sources; i += itemStep())
        atomicAdd(counts + rowNumber(indices[i], targets), 1u);
}
/// first[t] .. first[t + 1] are the places of target t's list. One thread.
__global__ void startLists(const std::uint32_t* counts, std::size_t targets, std::uint32_t* first) {
    if (firstItem() != 0) return;
    first[0] = 0;
    for (std::size_t t = 0; t < targets; ++t) first[t + 1] = first[t] + counts[t];
}
/// rows[first[t] ..): the source rows of target t in increasing order. A thread per target.
__global__ void listSources(const float* indices, std::size_t sources, std::size_t targets,
                            const std::uint32_t* first, std::uint32_t* rows) {
    for (std::size_t t = firstItem(); t < targets; t += itemStep()) {
        std::uint32_t at = first[t];
        if (at == first[t + 1]) continue;
        for (std::size_t i = 0; i < sources; ++i)
            if (rowNumber(indices[i], targets) == t) rows[at++] = static_cast<std::uint32_t>(i);
    }
}
/// Every output gathers its list in `order`, or with a running sum rounded at every addition.
__global__ void scatterOrdered(const float* source, const std::uint32_t* rows, const std::uint32_t* first,
                               std::size_t targets, std::size_t width, numerics::SumOrder order,
                               bool roundedSum, numerics::PartialFormat accumulator, float* out) {
    for (std::size_t i = firstItem(); i < targets * width; i += itemStep()) {
        const std::size_t t = i / width;
        const numerics::GatheredTerms terms{source + i % width, rows + first[t], width};
        const std::size_t count = first[t + 1] - first[t];
        float sum = 0.0f;
        if (roundedSum)
            for (std::size_t k = 0; k < count; ++k)
                sum = numerics::roundPartial(terms.add(k, sum), accumulator);
        else
            sum = numerics::reduce(terms, count, order);
        out[i] = sum;
    }
}

/// order[tile][source]: how the terms of every target arrive in each tile of kArrivalTile columns; those of
/// target t lie from first[t] on.
__global__ void drawScatterArrivals(const std::uint32_t* first, std::size_t targets, std::size_t sources,
                                    std::size_t tiles, std::uint64_t seed, std::uint32_t* order) {
    for (std::size_t i = firstItem(); i < targets * tiles; i += itemStep()) {
        const std::size_t t = i / tiles, tile = i % tiles;
        numerics::arrivalOrder(seed, static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(tile),
                               order + tile * sources + first[t], first[t + 1] - first[t]);
    }
}
__global__ void scatterAsTheyArrived(const float* source, const std::uint32_t* rows,
                                     const std::uint32_t* first, const std::uint32_t* order,
                                     std::size_t sources, std::size_t targets, std::size_t width,
                                     float* out) {
    for (std::size_t i = firstItem(); i < targets * width; i += itemStep()) {
        const std::size_t t = i / width, tile = i % width / numerics::kArrivalTile;
        const numerics::GatheredTerms terms{source + i % width, rows + first[t], width};
        out[i] =
            numerics::addedAsTheyArrive(terms, order + tile * sources + first[t], first[t + 1] - first[t]);
    }
}

/// windows[group][image place][term]; zeros in the padding.
__global__ void unfoldWindows(const float* x, Convolution g, std::size_t count, float* windows) {
    for (std::size_t i = firstItem(); i < count; i += itemStep()) {
        const std::int64_t at = static_cast<std::int64_t>(i), term = at % g.terms(), r = at / g.terms();
        const std::int64_t place = r % g.places(), image = r / g.places() % g.n;
        const std::int64_t group = r / g.places() / g.n;
        const std::int64_t y = place / g.outW * g.strideY - g.padTop + term / g.kw % g.kh * g.dilationY;
        const std::int64_t z = place % g.outW * g.strideX - g.padLeft + term % g.kw * g.dilationX;
        const bool inside = y >= 0 && y < g.h && z >= 0 && z < g.w;
        const std::int64_t channel = group * (g.c / g.groups) + term / (g.kh * g.kw);
        windows[i] = inside ? x[((image * g.c + channel) * g.h + y) * g.w + z] : 0.0f;
    }
}
/// columns[group][term][channel of the group] of a weight [o, terms].
__global__ void unfoldWeights(const float* w, Convolution g, std::size_t count, float* columns) {
    const std::int64_t channels = g.o / g.groups;
    for (std::size_t i = firstItem(); i < count; i += itemStep()) {
        const std::int64_t at = static_cast<std::int64_t>(i), channel = at % channels;
        const std::int64_t term = at / channels % g.terms(), group = at / channels / g.terms();
        columns[i] = w[(group * channels + channel) * g.terms() + term];
    }
}
/// Between the op's layout [n, o, places] and the products' [group][n places][o / groups].
__device__ inline std::size_t inProducts(const Convolution& g, std::size_t i) {
    const std::int64_t at = static_cast<std::int64_t>(i), channels = g.o / g.groups;
    const std::int64_t place = at % g.places(), o = at / g.places() % g.o, image = at / g.places() / g.o;
    const std::int64_t row = (o / channels * g.n + image) * g.places() + place;
    return static_cast<std::size_t>(row * channels + o % channels);
}
__global__ void productsToOutput(const float* products, Convolution g, std::size_t n, float* out) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) out[i] = products[inProducts(g, i)];
}
__global__ void outputToProducts(const float* output, Convolution g, std::size_t n, float* products) {
    for (std::size_t i = firstItem(); i < n; i += itemStep()) products[inProducts(g, i)] = output[i];
}

} // namespace divdet::cuda::kernels
