#include "block/graph.h"

#include <algorithm>
#include <cstring>

namespace divdet::block {
namespace {

std::uint64_t nextStream(const Graph& g) {
    return static_cast<std::uint64_t>(std::count_if(
        g.values.begin(), g.values.end(), [](const Value& v) { return v.role != Role::intermediate; }));
}

ValueIndex addFilled(Graph& g, Role role, std::string name, DimList dims, Filling filling) {
    filling.stream = nextStream(g);
    g.values.push_back({std::move(name), std::move(dims), role, std::move(filling), false, std::nullopt});
    return g.values.size() - 1;
}

} // namespace

ValueIndex Graph::addInput(std::string valueName, DimList valueDims, Filling filling) {
    return addFilled(*this, Role::input, std::move(valueName), std::move(valueDims), std::move(filling));
}

ValueIndex Graph::addWeight(std::string valueName, DimList valueDims, Filling filling) {
    return addFilled(*this, Role::weight, std::move(valueName), std::move(valueDims), std::move(filling));
}

ValueIndex Graph::addOp(OpKind kind, std::string outputName, std::vector<ValueIndex> inputs,
                        Attributes attributes) {
    values.push_back({std::move(outputName), {}, Role::intermediate, {}, false, std::nullopt});
    ops.push_back({kind, std::move(inputs), values.size() - 1, std::move(attributes)});
    return values.size() - 1;
}

std::optional<ValueIndex> Graph::find(std::string_view valueName) const {
    for (ValueIndex i = 0; i < values.size(); ++i)
        if (values[i].name == valueName) return i;
    return std::nullopt;
}

const Op* Graph::producer(ValueIndex value) const {
    for (const Op& op : ops)
        if (op.output == value) return &op;
    return nullptr;
}

std::vector<std::size_t> Graph::users(ValueIndex value) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < ops.size(); ++i)
        if (std::count(ops[i].inputs.begin(), ops[i].inputs.end(), value)) found.push_back(i);
    return found;
}

bool Graph::fromWeights(ValueIndex value) const {
    std::vector<bool> constant(values.size());
    for (ValueIndex i = 0; i < values.size(); ++i) constant[i] = values[i].role == Role::weight;
    for (const Op& op : ops)
        constant[op.output] =
            std::all_of(op.inputs.begin(), op.inputs.end(), [&](ValueIndex in) { return constant[in]; });
    return constant[value];
}

std::vector<std::string> Graph::taps() const {
    std::vector<std::string> names;
    for (const Value& v : values)
        if (v.role == Role::input) names.push_back(v.name);
    for (const Op& op : ops) names.push_back(opName(op));
    return names;
}

std::vector<std::string> Graph::outputs() const {
    std::vector<std::string> names;
    for (const Value& v : values)
        if (v.output) names.push_back(v.name);
    return names;
}

void setInputKind(Graph& graph, FillKind kind) {
    for (Value& v : graph.values)
        if (v.role == Role::input && isInputKind(v.filling.kind)) v.filling.kind = kind;
}

bool sameValue(const Value& a, const Value& b) {
    if (a.name != b.name || a.dims != b.dims || a.role != b.role || a.output != b.output) return false;
    if (a.data.has_value() != b.data.has_value() || a.filling != b.filling) return false;
    if (a.firstRows != b.firstRows || a.tap != b.tap) return false;
    if (!a.data) return true;
    const auto x = a.data->as<float>(), y = b.data->as<float>();
    return a.data->shape() == b.data->shape() && x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0);
}

bool sameGraph(const Graph& a, const Graph& b) {
    return a.name == b.name && a.dims == b.dims && a.ops == b.ops &&
           std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), sameValue);
}

} // namespace divdet::block
