#pragma once
#include <optional>
#include <utility>

#include "judge/pair_evidence.h"

namespace divdet {

/// c/r = f(index along one axis) · g(index along another) within rounding, with both f and g varying.
struct Separable {
    std::pair<std::size_t, std::size_t> axes;
    double smallest = 1, largest = 1; ///< of the ratios c/r
    double share = 0;                 ///< of the elements that follow
};
std::optional<Separable> separableGain(const PairEvidence& pair);

} // namespace divdet
