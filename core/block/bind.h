#pragma once
#include <cstdint>
#include <vector>

#include "block/graph.h"
#include "tensor/shape.h"

namespace divdet::block {

// Limits of a live block; beyond them a wrong number on the command line would eat the machine.
inline constexpr std::int64_t kMaxExtent = std::int64_t{1} << 24; ///< of one dimension
inline constexpr std::int64_t kMaxBlockElements = std::int64_t{1}
                                                  << 29; ///< gathered for one op: 2 GiB of fp32

/// A graph with numbers for its dimensions.
struct BoundGraph {
    Graph graph;                      ///< its ops' attributes name no dimension any more
    DimValues dims;                   ///< every dimension of the graph
    std::vector<Shape> shapes;        ///< by ValueIndex
    std::vector<double> sigma;        ///< by ValueIndex; of the filling, 0 for intermediates
    std::vector<std::int64_t> limits; ///< by ValueIndex; of a filling with indices, else 0
};

/// An attribute as a number: the dimension's value where it names one, the attribute itself otherwise.
AttributeValue resolved(const AttributeValue& value, const DimValues& dims);

/// Validates the graph, fills in the dimensions (those not given get the graph's default) and derives every
/// shape. Errors: usage for an unknown dimension or one outside [1, kMaxExtent], refused for a block of which
/// a run would hold more than maxRunBytes() (block/run_bytes.h), mismatch where an op cannot take the shapes
/// it gets or data has another shape than dims. Data with `firstRows` is cut to the rows that dims ask for.
Result<BoundGraph> bind(const Graph& graph, const DimValues& dims = {});

} // namespace divdet::block
