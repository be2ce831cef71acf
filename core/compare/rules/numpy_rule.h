#pragma once
#include "compare/rules/precision.h"
#include "compare/rules/rule_block.h"

namespace divdet::rules {

/// numpy.isclose(candidate, reference, rtol, atol, equal_nan) of numpy 2 (NEP 50), per element:
/// |c − r| <= atol + rtol·|r| with finite r, or c == r, or both NaN with equal-nan. The reference counts in
/// its own floating type (integers and bool: float64; bf16 and fp8, which numpy only has through ml_dtypes:
/// float32), tolerances and bound are rounded to it; the difference is taken in the promoted type. Any
/// tolerance is allowed, NaN, infinite and negative ones too. Source: numpy/_core/numeric.py.
BlockRule numpyRule(const TensorView& reference, const TensorView& candidate, const Tolerance& tolerance);

/// The type numpy takes the bound in, and the one it takes the difference in (complex: of the parts).
Precision numpyBoundPrecision(DType reference);
Precision numpyDifferencePrecision(DType reference, DType candidate);

} // namespace divdet::rules
