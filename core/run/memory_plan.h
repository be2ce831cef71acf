#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "lower/lowered.h"

namespace divdet::run {

/// Which memory each value of a replayed program lives in. Weights are read where they are. Inputs have a
/// buffer of their own that every replay fills anew, as a captured graph's static inputs do; so have values
/// of ops with Buffer::stale. All others share: a buffer is free again when its value was read for the last
/// time.
struct MemoryPlan {
    std::vector<std::optional<std::size_t>> buffer; ///< by ValueIndex; none for weights and fused-away values
    std::vector<std::size_t> bytes;                 ///< by buffer: of its largest value

    std::size_t total() const; ///< bytes of all buffers
};

/// Outputs of the block keep their buffer to the end, and no kernel writes a buffer that it reads.
MemoryPlan planMemory(const lower::LoweredGraph& graph);

/// Bytes that the planned values would take if each had a buffer of its own.
std::size_t unsharedBytes(const lower::LoweredGraph& graph, const MemoryPlan& plan);

} // namespace divdet::run
