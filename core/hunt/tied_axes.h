#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "block/graph.h"

namespace divdet::hunt {

/// One extent of an input or weight.
struct Axis {
    block::ValueIndex value;
    std::size_t dimension;
    bool operator==(const Axis&) const = default;
};

/// Axes that can be made shorter only together, because the ops between them need equal extents (the k of a
/// product).
struct TiedAxes {
    std::vector<Axis> axes;
    std::int64_t extent;
};

/// The ties of a graph whose extents are constants, found by asking the ops: for each axis a smallest set of
/// axes of its extent that the graph can still be bound with when all of them shrink. Axes of extent 1, and
/// those that no shorter extent fits, are left out.
std::vector<TiedAxes> tiedAxes(const block::Graph& graph);

/// The graph with elements [first, first + extent) along these axes, data too. Precondition: they have data
/// and more elements than that.
block::Graph sliced(const block::Graph& graph, const TiedAxes& axes, std::int64_t first, std::int64_t extent);

} // namespace divdet::hunt
