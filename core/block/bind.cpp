#include "block/bind.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "block/run_bytes.h"

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
        for (const DimDefault& d : g.dims)
            if (d.name == name && d.fixed && value != d.value)
                return Error{ErrorCode::usage, fmt::format("{} of this {} is {}", name, g.name, d.value),
                             name, "the graph's ops depend on it"};
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

/// The same bytes, with fewer rows.
Tensor firstRowsOf(const Tensor& t, std::int64_t rows) {
    TensorView v = t.view();
    v.shape[0] = rows;
    return Tensor(std::move(v), std::make_shared<const Tensor>(t));
}

Status takeFirstRows(Value& v, const Shape& wanted) {
    const Shape& given = v.data->shape();
    if (given.size() != wanted.size() || given.empty()) return Done{};
    if (wanted[0] < given[0]) v.data = firstRowsOf(*v.data, wanted[0]);
    if (wanted[0] > given[0])
        return Error{ErrorCode::usage, fmt::format("{} has {} rows, not {}", v.name, given[0], wanted[0]),
                     v.name, fmt::format("choose at most {}", given[0])};
    return Done{};
}

Status fillShape(BoundGraph& b, ValueIndex i) {
    Value& v = b.graph.values[i];
    for (const Dim& d : v.dims) {
        const std::int64_t n = extent(d, b.dims);
        if (n < 1 || n > kMaxExtent)
            return Error{ErrorCode::usage, fmt::format("an extent is {}", n), v.name,
                         fmt::format("choose a number from 1 to {}", kMaxExtent)};
        b.shapes[i].push_back(n);
    }
    if (auto s = checkValueBytes(b, i); !s) return s;
    b.sigma[i] = sigmaOf(v.filling, b.dims);
    if (v.filling.kind == FillKind::indices) b.limits[i] = extent(v.filling.limit, b.dims);
    if (v.filling.kind == FillKind::indices && (b.limits[i] < 1 || b.limits[i] > kMaxExtent))
        return Error{ErrorCode::usage, fmt::format("indices below {}", b.limits[i]), v.name,
                     fmt::format("choose a limit from 1 to {}", kMaxExtent)};
    if (v.data && v.firstRows)
        if (auto s = takeFirstRows(v, b.shapes[i]); !s) return s;
    if (v.data && v.data->shape() != b.shapes[i])
        return Error{ErrorCode::mismatch,
                     fmt::format("the data has shape {} where {} is due", divdet::toString(v.data->shape()),
                                 divdet::toString(b.shapes[i])),
                     v.name, "choose the sizes that the data has"};
    return Done{};
}

Status inferShape(BoundGraph& b, Op& op) {
    std::vector<Shape> inputs;
    for (auto& [name, value] : op.attributes)
        if (findAttribute(opDef(op.kind), name)->type != AttributeType::text) value = resolved(value, b.dims);
    for (ValueIndex in : op.inputs) inputs.push_back(b.shapes[in]);
    auto shape = opDef(op.kind).shape(inputs, op.attributes);
    if (!shape) {
        Error e = shape.error();
        if (e.path.empty()) e.path = b.graph.opName(op);
        return e;
    }
    b.shapes[op.output] = std::move(*shape);
    return checkValueBytes(b, op.output); // before the next op multiplies its extents
}

} // namespace

AttributeValue resolved(const AttributeValue& value, const DimValues& dims) {
    const auto* name = std::get_if<std::string>(&value);
    return name ? AttributeValue(dims.at(*name)) : value;
}

Result<BoundGraph> bind(const Graph& graph, const DimValues& given) {
    if (auto s = graph.validate(); !s) return s.error();
    auto dims = resolve(graph, given);
    if (!dims) return dims.error();
    BoundGraph b{graph, std::move(*dims), std::vector<Shape>(graph.values.size()),
                 std::vector<double>(graph.values.size()), std::vector<std::int64_t>(graph.values.size())};
    for (ValueIndex i = 0; i < graph.values.size(); ++i)
        if (graph.values[i].role != Role::intermediate)
            if (auto s = fillShape(b, i); !s) return s.error();
    for (Op& op : b.graph.ops)
        if (auto s = inferShape(b, op); !s) return s.error();
    if (auto s = checkRunBytes(b); !s) return s.error();
    return b;
}

} // namespace divdet::block
