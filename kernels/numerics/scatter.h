#pragma once
#include <cstddef>
#include <cstdint>

#include "numerics/float_bits.h"

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

} // namespace divdet::numerics
