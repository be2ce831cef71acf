#pragma once
#include <cstddef>

#include "numerics/float_bits.h"

/// The published orders in which K terms are summed in fp32. A dot product has terms a_k b_k, and every chain
/// adds them by fma (one rounding); a sum has terms x_k. `start` is what the accumulator holds before the
/// first term (a fused bias or residual; +0 otherwise).
///
///   sequential  acc = start; acc = fma(a_k, b_k, acc) for k = 0, 1, ..., K-1.
///   pairwise    leaves are the single rounded products, leaf 0 is fma(a_0, b_0, start); [lo, hi) is the sum
///   of its
///               two parts, the left one holding the largest power of two of leaves below hi - lo.
///   strided     256 lanes; lane t is the chain over k = t, t+256, ... from +0 (lane 0 from start); then for
///               o = 128, 64, ..., 1: lane t += lane t+o for t < o. Lanes without a term stay in the tree as
///               +0.
///   splitK      N contiguous chunks of ceil(K/N) terms (the last may be short, empty ones do not exist);
///   each is a
///               chain from +0 (chunk 0 from start); results are added one after the other in order.
/// K = 0 gives start.
namespace divdet::numerics {

enum class Order : std::uint8_t { sequential, pairwise, strided, splitK };

struct SumOrder {
    Order order = Order::sequential;
    std::size_t splits = 1; ///< chunks of splitK, >= 1; the other orders ignore it
};

inline constexpr std::size_t kLanes = 256;

/// Terms a_k b_k of a dot product, elements `strideA` and `strideB` apart.
struct DotTerms {
    const float* a;
    const float* b;
    std::size_t strideA = 1;
    std::size_t strideB = 1;
    DIVDET_HD float add(std::size_t k, float acc) const { return fmaRn(a[k * strideA], b[k * strideB], acc); }
    DIVDET_HD float leaf(std::size_t k) const { return mulRn(a[k * strideA], b[k * strideB]); }
};

/// Terms x_k of a sum.
struct SumTerms {
    const float* x;
    std::size_t stride = 1;
    DIVDET_HD float add(std::size_t k, float acc) const { return addRn(acc, x[k * stride]); }
    DIVDET_HD float leaf(std::size_t k) const { return x[k * stride]; }
};

/// Terms x_k^2.
struct SquareTerms {
    const float* x;
    std::size_t stride = 1;
    DIVDET_HD float add(std::size_t k, float acc) const { return fmaRn(x[k * stride], x[k * stride], acc); }
    DIVDET_HD float leaf(std::size_t k) const { return mulRn(x[k * stride], x[k * stride]); }
};

template <class Terms>
DIVDET_HD float chain(const Terms& terms, std::size_t first, std::size_t last, std::size_t step, float acc) {
    for (std::size_t k = first; k < last; k += step) acc = terms.add(k, acc);
    return acc;
}

/// Largest power of two below n. Precondition: n >= 2.
DIVDET_HD std::size_t leftPart(std::size_t n) {
    return std::size_t{1} << floorLog2(n - 1);
}

/// The pairwise tree as a binary counter: after leaf k, complete subtrees merge as carries do.
template <class Terms>
DIVDET_HD float pairwise(const Terms& terms, std::size_t count, float start) {
    float subtree[64];
    int depth = 0;
    for (std::size_t k = 0; k < count; ++k) {
        float x = k == 0 ? terms.add(0, start) : terms.leaf(k);
        for (std::size_t carry = k; carry & 1; carry >>= 1) x = addRn(subtree[--depth], x);
        subtree[depth++] = x;
    }
    if (depth == 0) return start;
    float sum = subtree[--depth];
    while (depth > 0) sum = addRn(subtree[--depth], sum);
    return sum;
}

template <class Terms>
DIVDET_HD float strided(const Terms& terms, std::size_t count, float start) {
    float lane[kLanes];
    for (std::size_t t = 0; t < kLanes; ++t) lane[t] = chain(terms, t, count, kLanes, t == 0 ? start : 0.0f);
    for (std::size_t o = kLanes / 2; o > 0; o /= 2) {
        for (std::size_t t = 0; t < o; ++t) lane[t] = addRn(lane[t], lane[t + o]);
    }
    return lane[0];
}

/// Terms per chunk of splitK, rounded up to a multiple of `unit` (1 in fp32; a tensor core's k otherwise).
DIVDET_HD std::size_t chunkLength(std::size_t count, std::size_t splits, std::size_t unit = 1) {
    const std::size_t n = splits < 1 ? 1 : splits;
    const std::size_t length = (count + n - 1) / n;
    return (length + unit - 1) / unit * unit;
}

template <class Terms>
DIVDET_HD float splitK(const Terms& terms, std::size_t count, std::size_t splits, float start) {
    const std::size_t length = chunkLength(count, splits);
    float sum = chain(terms, 0, length, 1, start);
    for (std::size_t first = length; first < count; first += length) {
        const std::size_t last = first + length < count ? first + length : count;
        sum = addRn(sum, chain(terms, first, last, 1, 0.0f));
    }
    return sum;
}

template <class Terms>
DIVDET_HD float reduce(const Terms& terms, std::size_t count, SumOrder order, float start = 0.0f) {
    if (count == 0) return start;
    switch (order.order) {
    case Order::sequential:
        return chain(terms, 0, count, 1, start);
    case Order::pairwise:
        return pairwise(terms, count, start);
    case Order::strided:
        return strided(terms, count, start);
    case Order::splitK:
        return splitK(terms, count, order.splits, start);
    }
    return start;
}

} // namespace divdet::numerics
