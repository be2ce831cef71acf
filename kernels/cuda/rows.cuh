#pragma once
#include "cuda/kernel_types.h"
#include "cuda/launch.cuh"
#include "numerics/norm.h"
#include "numerics/partials.h"
#include "numerics/softmax.h"
#include "numerics/variance.h"

/// Norms, softmax and sums along rows; a block of 256 threads per row. The strided tree, the published order
/// of norms, is what the block itself does; the other orders are serial by definition and thread 0's work.
namespace divdet::cuda::kernels {

/// Sum of the terms in `order`, the same value in every thread. All threads of the block call it; `lane` is
/// shared and free again when it returns.
template <class Terms>
__device__ float blockReduce(const Terms& terms, std::size_t count, SumOrder order, float* lane) {
    const unsigned t = threadIdx.x;
    if (order.order == numerics::Order::strided) {
        lane[t] = numerics::chain(terms, t, count, numerics::kLanes, 0.0f);
        __syncthreads();
        for (unsigned o = kThreads / 2; o > 0; o /= 2) {
            if (t < o) lane[t] = numerics::addRn(lane[t], lane[t + o]);
            __syncthreads();
        }
    } else {
        if (t == 0) lane[0] = numerics::reduce(terms, count, order);
        __syncthreads();
    }
    const float sum = lane[0];
    __syncthreads();
    return sum;
}

/// Largest value that compares, and whether there is a NaN; the same in every thread.
struct RowRange {
    float highest;
    bool nan;
};
__device__ inline RowRange blockRange(const float* x, std::size_t width, float* lane) {
    __shared__ int anyNan;
    const unsigned t = threadIdx.x;
    if (t == 0) anyNan = 0;
    __syncthreads();
    float highest = numerics::floatFromBits(0xFF800000u);
    for (std::size_t i = t; i < width; i += kThreads) {
        if (numerics::isNan(x[i])) atomicOr(&anyNan, 1);
        if (x[i] > highest) highest = x[i];
    }
    lane[t] = highest;
    __syncthreads();
    for (unsigned o = kThreads / 2; o > 0; o /= 2) {
        if (t < o && lane[t + o] > lane[t]) lane[t] = lane[t + o];
        __syncthreads();
    }
    const RowRange range{lane[0], anyNan != 0};
    __syncthreads();
    return range;
}

__global__ void __launch_bounds__(kThreads)
    rmsNormRows(const float* x, const float* gain, float eps, std::size_t rows, std::size_t width,
                SumOrder order, bool fast, float* out) {
    __shared__ float lane[kThreads];
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float* const from = x + row * width;
        const float sum = blockReduce(numerics::SquareTerms{from}, width, order, lane);
        const float r = numerics::rmsScale(sum, width, eps, fast);
        for (std::size_t i = threadIdx.x; i < width; i += kThreads)
            out[row * width + i] = numerics::rmsElement(from[i], r, gain[i]);
    }
}

/// Two passes, or with `onePass` numerics::onePassMoments and r = rsqrt(variance + eps). A null bias is +0.
__global__ void __launch_bounds__(kThreads)
    layerNormRows(const float* x, const float* gain, const float* bias, float eps, std::size_t rows,
                  std::size_t width, SumOrder order, bool fast, bool onePass, float* out) {
    __shared__ float lane[kThreads];
    const float n = static_cast<float>(width);
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float* const from = x + row * width;
        const float mean = numerics::divRn(blockReduce(numerics::SumTerms{from}, width, order, lane), n);
        float r;
        if (onePass) {
            const float squares = blockReduce(numerics::SquareTerms{from}, width, order, lane);
            const float variance = numerics::fmaRn(-mean, mean, numerics::divRn(squares, n));
            const float v = numerics::addRn(variance, eps);
            r = fast ? numerics::fastRsqrt(v) : numerics::rsqrtFloat(v);
        } else {
            const numerics::CentredSquareTerms terms{from, mean};
            r = numerics::rmsScale(blockReduce(terms, width, order, lane), width, eps, fast);
        }
        for (std::size_t i = threadIdx.x; i < width; i += kThreads)
            out[row * width + i] = numerics::layerElement(from[i], mean, r, gain[i], bias ? bias[i] : 0.0f);
    }
}

__global__ void __launch_bounds__(kThreads)
    softmaxRows(const float* x, std::size_t rows, std::size_t width, SumOrder order, bool fast, float* out) {
    __shared__ float lane[kThreads];
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float* const from = x + row * width;
        float* const to = out + row * width;
        const RowRange range = blockRange(from, width, lane);
        const bool masked = !range.nan && numerics::bitsOf(range.highest) == 0xFF800000u;
        for (std::size_t i = threadIdx.x; i < width; i += kThreads) {
            const float below = numerics::addRn(from[i], -range.highest);
            to[i] = masked ? 0.0f : fast ? numerics::fastExp(below) : numerics::expFloat(below);
        }
        if (masked) continue; // the same for the whole block
        __syncthreads();      // the sum reads what other threads wrote
        const float sum = blockReduce(numerics::SumTerms{to}, width, order, lane);
        for (std::size_t i = threadIdx.x; i < width; i += kThreads) to[i] = numerics::divRn(to[i], sum);
    }
}

/// The first row of each matrix of `perMatrix` rows becomes NaN: what 0/0 leaves in a fully masked one.
__global__ void spoilFirstRows(std::size_t n, std::size_t width, std::size_t perMatrix, float* y) {
    for (std::size_t i = firstItem(); i < n; i += itemStep())
        if (i / width % perMatrix == 0) y[i] = numerics::floatFromBits(0x7FC00000u);
}

/// sums[row] of the first `kept` of `width` values. Chunks are chains of their own threads; `partials` and
/// `arrivals` hold gridDim.x rows of chunkCount entries (unused without chunks).
__global__ void __launch_bounds__(kThreads)
    sumRows(const float* x, std::size_t rows, std::size_t width, std::size_t kept, SumRule rule,
            float* partials, std::uint32_t* arrivals, float* sums) {
    __shared__ float lane[kThreads];
    const std::size_t length = numerics::chunkLength(kept, rule.order.splits);
    const std::size_t count = rule.inChunks ? numerics::chunkCount(kept, length) : 0;
    float* const part = partials + blockIdx.x * count;
    std::uint32_t* const order = arrivals + blockIdx.x * count;
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const numerics::SumTerms terms{x + row * width};
        if (rule.roundedSum) {
            if (threadIdx.x != 0) continue;
            float sum = 0.0f;
            for (std::size_t i = 0; i < kept; ++i)
                sum = numerics::roundPartial(terms.add(i, sum), rule.accumulator);
            sums[row] = sum;
        } else if (rule.inChunks) {
            for (std::size_t i = threadIdx.x; i < count; i += kThreads) {
                const std::size_t first = i * length, last = first + length < kept ? first + length : kept;
                part[i] = numerics::chain(terms, first, last, 1, 0.0f);
            }
            if (threadIdx.x == 0 && rule.arrival)
                numerics::arrivalOrder(rule.seed, static_cast<std::uint32_t>(row / numerics::kArrivalTile), 0,
                                       order, count);
            __syncthreads();
            if (threadIdx.x == 0) {
                float sum = numerics::roundPartial(!rule.arrival && count ? part[0] : 0.0f, rule.format);
                for (std::size_t i = rule.arrival ? 0 : 1; i < count; ++i)
                    sum = numerics::addPartial(sum, part[rule.arrival ? order[i] : i], rule.format);
                sums[row] = sum;
            }
            __syncthreads();
        } else {
            const float sum = blockReduce(terms, kept, rule.order, lane);
            if (threadIdx.x == 0) sums[row] = sum;
        }
    }
}

} // namespace divdet::cuda::kernels
