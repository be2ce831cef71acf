#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "compare/summary.h"
#include "tensor/tensor.h"

namespace divdet {

/// How far the runs of one tap lie apart. An element varies where its bits are not the same in all runs: −0
/// and +0 are two, and so are two NaNs of other bits.
struct TapSpread {
    std::int64_t elements = 0;
    std::int64_t varying = 0;       ///< elements
    std::int64_t firstVarying = -1; ///< flat, row-major; -1: none
    std::int64_t variants = 1;      ///< distinct results of the tap as a whole among the runs
    std::int64_t nonFinite = 0;     ///< varying elements that are NaN or infinite in some run
    Extreme maxAbs;                 ///< largest minus smallest value of an element, finite in all runs
    std::optional<double>
        maxUlp; ///< the same in units of the last place of the dtype; none for complex and opaque
    bool bitEqual() const { return varying == 0; }
};

/// Complex values: each part is a value of its own for maxAbs. Errors: mismatch when dtypes or shapes differ.
/// Precondition: two runs or more.
Result<TapSpread> spreadOf(std::span<const Tensor> runs);

} // namespace divdet
