#pragma once
#include <span>

#include "judge/pair_evidence.h"

namespace divdet {

/// How alike the errors of neighbours are, from −1 to 1: Σ e_i·e_{i+1} / Σ e_i² in the order of `keys` (ties
/// in the order given). Noise is near 0, a smooth function of the key near 1. 0 for fewer than 32 errors.
double likeness(std::span<const double> keys, std::span<const double> errors);

/// The error is a smooth function of the operator's input (of the reference's value where no input of the
/// pair's shape is known): another formula, not rounding.
bool smoothInInput(const PairEvidence& pair);

} // namespace divdet
