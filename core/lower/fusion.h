#pragma once
#include <vector>

#include "block/graph.h"

namespace divdet::lower {

/// Positions (in graph.ops) of the pointwise ops that may join the kernel of this matrix product: each is
/// the only reader of the value before it, and that value is no output of the block.
std::vector<std::size_t> fusableConsumers(const block::Graph& graph, const block::Op& product);

} // namespace divdet::lower
