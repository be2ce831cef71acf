#pragma once
#include <span>

#include "compare/comparison.h"
#include "compare/frontier.h"

namespace divdet {

/// The tolerances at which all judged pairs of some comparisons pass: one frontier, because a tolerance
/// passes a set of elements when it passes each of them.
struct PassRegion {
    Frontier frontier;
    bool never = false; ///< an element or pair fails at every tolerance

    /// Certainly passes: within rounding of a capped frontier the answer is no.
    bool passes(const Tolerance& t) const { return !never && frontier.answer(t) == FrontierAnswer::passes; }
    /// Smallest atol that passes at this rtol; inf: none.
    double neededAtol(Rule rule, double rtol) const;
    /// Smallest rtol that passes with atol = scale · linkedAtol(rtol); inf: none up to 1e3.
    double neededOnLine(const Tolerance& t, double scale) const;
};

/// Of `t` rule and NaN setting count.
PassRegion passRegion(std::span<const Comparison* const> comparisons, const Tolerance& t);

/// The tolerances at which a tensor of zeros passes in place of the candidate of a judged pair that is not
/// equal everywhere: at them a pass says nothing. Empty regions (no such pair) never pass.
std::vector<PassRegion> zerosRegions(std::span<const Comparison* const> comparisons);

} // namespace divdet
