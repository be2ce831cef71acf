#include "block/bind.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace divdet::block {
namespace {

Result<DimValues> resolve(const Graph& g, const DimValues& given) {
    DimValues dims;
    std::vector<std::string> names;
    for (const DimDefault& d : g.dims) {
        dims[d.name] = d.value;
        names.push_back(d.name);
    }
    for (const auto& [name, value] : given) {
        if (!dims.count(name))
            return Error{ErrorCode::usage, fmt::format("{} has no dimension {}", g.name, name), name,
                         names.empty() ? "all its sizes are fixed"
                                       : fmt::format("it has {}", fmt::join(names, ", "))};
        dims[name] = value;
    }
    for (const auto& [name, value] : dims)
        if (value < 1 || value > kMaxExtent)
            return Error{ErrorCode::usage, fmt::format("{} is {}", name, value), name,
                         fmt::format("choose a number from 1 to {}", kMaxExtent)};
    return dims;
}

std::int64_t extent(const Dim& d, const DimValues& dims) {
    return d.symbol.empty() ? d.value : dims.at(d.symbol);
}

double sigmaOf(const Filling& f, const DimValues& dims) {
    double product = 1;
    for (const Dim& d : f.areaDims) product *= static_cast<double>(extent(d, dims));
    return f.areaDims.empty() ? f.sigma : f.sigma * std::pow(f.area / product, 0.25);
}

Status inferShape(BoundGraph& b, const Op& op) {
    std::vector<Shape> inputs;
    for (ValueIndex in : op.inputs) inputs.push_back(b.shapes[in]);
    auto shape = opDef(op.kind).shape(inputs, op.attributes);
    if (!shape) {
        Error e = shape.error();
        if (e.path.empty()) e.path = b.graph.opName(op);
        return e;
    }
    b.shapes[op.output] = std::move(*shape);
    return Done{};
}

Status checkSize(const BoundGraph& b) {
    std::int64_t total = 0;
    for (const Shape& shape : b.shapes) {
        const auto n = elementCount(shape);
        if (!n || *n > kMaxBlockElements - total)
            return Error{ErrorCode::refused,
                         fmt::format("the block would need more than {} elements", kMaxBlockElements),
                         b.graph.name, "make tokens, width, hidden or k smaller"};
        total += *n;
    }
    return Done{};
}

} // namespace

Result<BoundGraph> bind(const Graph& graph, const DimValues& given) {
    if (auto s = graph.validate(); !s) return s.error();
    auto dims = resolve(graph, given);
    if (!dims) return dims.error();
    BoundGraph b{graph, std::move(*dims), std::vector<Shape>(graph.values.size()),
                 std::vector<double>(graph.values.size())};
    for (ValueIndex i = 0; i < graph.values.size(); ++i) {
        if (graph.values[i].role == Role::intermediate) continue;
        for (const Dim& d : graph.values[i].dims) b.shapes[i].push_back(extent(d, b.dims));
        b.sigma[i] = sigmaOf(graph.values[i].filling, b.dims);
    }
    for (const Op& op : graph.ops)
        if (auto s = inferShape(b, op); !s) return s.error();
    if (auto s = checkSize(b); !s) return s.error();
    return b;
}

} // namespace divdet::block
