#pragma once
#include <vector>

#include "block/bind.h"

namespace divdet::lower {

/// Positions (in graph.ops) of the pointwise ops that may join the kernel of this matrix product: each is
/// the only reader of the value before it, keeps its shape, and that value is no output of the block.
std::vector<std::size_t> fusableConsumers(const block::BoundGraph& block, const block::Op& product);

} // namespace divdet::lower
