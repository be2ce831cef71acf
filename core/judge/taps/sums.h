#pragma once
#include "judge/taps/chain.h"

namespace divdet {

/// Finds taps that are the sum or difference of two earlier ones (a residual add, x − mean) by the
/// reference's sample, and computes what the candidate's own values leave of it. Nothing is inherited in
/// that: it is the error of the add alone.
void findSums(Chain& chain);

} // namespace divdet
