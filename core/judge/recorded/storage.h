#pragma once
#include <vector>

#include "judge/declared.h"
#include "lower/lowered.h"
#include "run/taps.h"

namespace divdet::recorded {

/// Gives the results of all ops the dtypes they were stored in: of a tap its own, or the shorter one that is
/// declared for results, where every element of the tap is such a number; of what was not recorded the
/// shortest of those that it leads to.
void storeAsRecorded(lower::LoweredGraph& graph, const Declared& declared, const run::Taps& taps);

/// The dtypes of inputs and weights: their own, or, unless `asGiven`, the shorter one of the results that
/// they go into. Whether that makes a difference for any of them.
bool storeInputs(lower::LoweredGraph& graph, const std::vector<Tensor>& inputs, bool asGiven);

} // namespace divdet::recorded
