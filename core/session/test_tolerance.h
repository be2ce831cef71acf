#pragma once
#include <string>
#include <vector>

#include "base/rounded_up.h"
#include "compare/comparison.h"

namespace divdet {

/// Numbers for a test's assertion: what the judged pairs need, with room for the rounding of the tool that
/// will run it, rounded up to two digits, so that the assertion passes on these very tensors.
struct TestTolerance {
    std::string what; ///< balanced; absolute only; relative only
    double rtol = 0, atol = 0;
    std::string numpy, torch, polygraphy; ///< lines to paste; empty where the tool has no such rule
};

/// None when no tolerance passes or nothing could be compared; one of (0, 0) when the tensors are equal.
std::vector<TestTolerance> testTolerances(const Comparison& comparison, Rule rule, bool equalNan);

} // namespace divdet
