#pragma once
#include <vector>

#include "judge/taps/elements.h"
#include "judge/taps/tap_facts.h"

namespace divdet {

/// Diagonals of the last two axes on which every reference element, in every slice of the leading axes, is
/// exactly zero, as a mask makes them, and some candidate element is not. Empty when those axes are not
/// square or shorter than 8. `rms`: of the reference.
std::vector<DiagonalFacts> findDiagonals(const TapElements& elements, double rms, const Progress& progress);

} // namespace divdet
