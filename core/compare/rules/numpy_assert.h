#pragma once
#include <string_view>

#include "compare/rules/outcome.h"

#include "base/progress.h"

namespace divdet::rules {

/// numpy.testing.assert_allclose(candidate, reference, rtol, atol, equal_nan), whose own defaults are 1e-7, 0
/// and equal-nan. Positions of NaN (with equal-nan), positions of infinities and their values are checked
/// before anything else (not of bf16 and fp8, whose types numpy does not know); the rest goes through
/// isclose.
struct AssertAllclose {
    enum class Fails { nothing, nanLocation, infLocation, infValues, values } fails = Fails::nothing;
    std::int64_t mismatched = 0; ///< with Fails::values
};
std::string_view toString(AssertAllclose::Fails f); ///< as numpy says it: `nan location` …

Result<AssertAllclose> assertAllclose(const TensorView& reference, const TensorView& candidate, double rtol,
                                      double atol, bool equalNan, const Progress& progress = {});

} // namespace divdet::rules
