#pragma once
#include <cstddef>
#include <cstdint>

#include "numerics/float_bits.h"
#include "numerics/partials.h"

namespace divdet::numerics {

/// Terms of one output of a scatter-add: column values of the source rows that go to one target row, in
/// increasing source row (the published order is the sequential chain over them).
struct GatheredTerms {
    const float* column;       ///< element [0, j] of the source
    const std::uint32_t* rows; ///< source rows of this target
    std::size_t width;         ///< elements from one source row to the next
    DIVDET_HD float add(std::size_t k, float acc) const { return addRn(acc, leaf(k)); }
    DIVDET_HD float leaf(std::size_t k) const { return column[rows[k] * width]; }
};

/// Scatter-add by atomics: sum = +0, then the terms one after the other in the order in which they arrive,
/// p_0 ... p_(count-1) of arrivalOrder(seed, target row, column / kArrivalTile): 16 columns of a target row
/// travel together.
DIVDET_HD float addedAsTheyArrive(const GatheredTerms& terms, const std::uint32_t* arrival,
                                  std::size_t count) {
    float sum = 0.0f;
    for (std::size_t i = 0; i < count; ++i) sum = addRn(sum, terms.leaf(arrival[i]));
    return sum;
}

} // namespace divdet::numerics
