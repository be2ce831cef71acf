#pragma once
#include "compare/rules/rule_block.h"

namespace divdet::rules {

/// Polygraphy's CompareFunc.simple with the candidate as first and the reference as second run. An element
/// (elemwise) or the statistic (max, mean, median, quantile) fails when both its absolute difference is above
/// atol and its relative one above rtol; NaN is above everything, whatever equal-nan says. bf16 and fp8,
/// which Polygraphy refuses, are widened to f32. Any tolerance is allowed.
/// Errors: mismatch for complex, and for quantiles of bool against bool, which numpy refuses.
/// Source: TensorRT tools/Polygraphy/polygraphy/comparator/compare.py, util.py; numpy for the statistics.
Result<BlockRule> polygraphyElemwise(const TensorView& reference, const TensorView& candidate,
                                     const Tolerance& tolerance);

/// One of the four rules over the whole tensor. Of no elements, max and median are 0, the mean is NaN and the
/// quantile infinite.
Result<RuleOutcome> polygraphyStatistic(const TensorView& reference, const TensorView& candidate,
                                        const Tolerance& tolerance, const Progress& progress);

} // namespace divdet::rules
