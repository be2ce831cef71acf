#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "compare/summary.h"
#include "tensor/tensor.h"

namespace divdet {

/// The number that decides a rule over a whole tensor.
struct RuleStatistic {
    std::string name;                ///< max, mean, median, quantile, rmse
    double abs = 0;                  ///< of |c − r|; rmse: rmse(candidate, fp64)
    std::optional<double> rel;       ///< of |c − r| / |r|; rmse: none
    std::optional<double> reference; ///< rmse: rmse(reference, fp64)
    std::optional<double> limit;     ///< rmse: what `abs` is held against
};

/// What a rule needs to see. Shapes are equal; `mask` (bool, same shape) is true where elements count.
struct RuleInput {
    TensorView reference, candidate;
    std::optional<TensorView> mask;
    std::optional<TensorView> fp64; ///< eagerRmse: the reference in double; none: the reference itself
};

/// The answer of one rule at one tolerance over all elements.
struct RuleOutcome {
    Tolerance tolerance;
    bool passes = true;
    bool zerosPass = false; ///< a candidate of zeros would pass too, though reference and candidate differ
    std::int64_t elements = 0;
    // Rules that decide per element:
    std::int64_t mismatches = 0;
    std::int64_t firstMismatch = -1; ///< flat index
    Element worst;                   ///< largest error/bound among finite failing pairs; ties: the first
    // Rules over the whole tensor:
    std::optional<RuleStatistic> statistic;
    std::string note; ///< what else decided, in words; empty
};

} // namespace divdet
