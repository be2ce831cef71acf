#include "block/graph.h"

#include <algorithm>

namespace divdet::block {
namespace {

std::uint64_t nextStream(const Graph& g) {
    return static_cast<std::uint64_t>(std::count_if(
        g.values.begin(), g.values.end(), [](const Value& v) { return v.role != Role::intermediate; }));
}

ValueIndex addFilled(Graph& g, Role role, std::string name, DimList dims, Filling filling) {
    filling.stream = nextStream(g);
    g.values.push_back({std::move(name), std::move(dims), role, std::move(filling), false});
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
    values.push_back({std::move(outputName), {}, Role::intermediate, {}, false});
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
        if (v.role == Role::input) v.filling.kind = kind;
}

} // namespace divdet::block
