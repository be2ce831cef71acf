#pragma once
#include <span>
#include <vector>

#include "block/graph.h"
#include "hunt/reducer.h"

namespace divdet::hunt::reductions {

/// Offers `now()` with other numbers in one input or weight. Precondition: as many as it has.
Result<bool> offerNumbers(Reducer& reducer, block::ValueIndex value, std::span<const float> numbers);

/// The numbers of an input or weight; empty for what has none.
std::vector<float> numbersOf(const block::Value& value);

bool isPowerOfTwo(float x); ///< of either sign; zero counts too

/// Inputs and weights of the graph.
std::vector<block::ValueIndex> leavesOf(const block::Graph& graph);

} // namespace divdet::hunt::reductions
