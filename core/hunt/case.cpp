#include "hunt/case.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "block/graph_json.h"
#include "tensor/convert.h"

namespace divdet::hunt {
namespace {

using block::Graph;
using block::Role;
using block::Value;
using block::ValueIndex;

block::DimList constants(const Shape& shape) {
    return {shape.begin(), shape.end()};
}

/// Copies a graph value by value; `map` tells where each went.
struct Rebuilt {
    Graph graph;
    std::vector<ValueIndex> map;

    void leaf(ValueIndex from, Role role, const std::string& name, Tensor data) {
        const auto dims = constants(data.shape());
        map[from] = role == Role::weight ? graph.addWeight(name, dims, {}) : graph.addInput(name, dims);
        graph.values[map[from]].data = std::move(data);
    }
    void op(const block::Op& op, const std::string& name, block::Attributes attributes) {
        std::vector<ValueIndex> inputs;
        for (const ValueIndex in : op.inputs) inputs.push_back(map[in]);
        map[op.output] = graph.addOp(op.kind, name, std::move(inputs), std::move(attributes));
    }
};

Rebuilt emptyLike(const Graph& g) {
    Rebuilt out;
    out.graph.name = g.name;
    out.map.assign(g.values.size(), 0);
    return out;
}

Result<Tensor> recordedValue(const run::Taps& recorded, const std::string& name) {
    const run::Tap* tap = recorded.find(name);
    if (!tap) return Error{ErrorCode::internal, "a value was not recorded", name, ""};
    auto data =
        tap->tensor.dtype() == DType::f32 ? Result<Tensor>(tap->tensor) : converted(tap->tensor, DType::f32);
    if (!data) return data.error();
    return compacted(*data);
}

bool readBy(const Graph& g, ValueIndex value, const std::vector<bool>& ops) {
    const auto users = g.users(value);
    return std::any_of(users.begin(), users.end(), [&](std::size_t u) { return ops[u]; });
}

} // namespace

Result<Case> caseOf(const block::BoundGraph& b, const run::Inputs& inputs,
                    std::vector<lower::PassChoice> passes) {
    Rebuilt out = emptyLike(b.graph);
    for (ValueIndex i = 0; i < b.graph.values.size(); ++i) {
        const Value& v = b.graph.values[i];
        if (const block::Op* op = b.graph.producer(i))
            out.op(*op, v.name, op->attributes);
        else
            out.leaf(i, v.role, v.name, compacted(inputs.tensors[i]));
        out.graph.values[out.map[i]].output = v.output;
    }
    if (auto again = block::bind(out.graph); !again) return again.error();
    return Case{std::move(out.graph), std::move(passes)};
}

Result<Case> withOps(const Case& from, const std::vector<bool>& keep, const run::Taps& recorded) {
    const Graph& g = from.graph;
    const std::vector<bool> all(g.ops.size(), true);
    Rebuilt out = emptyLike(g);
    for (ValueIndex i = 0; i < g.values.size(); ++i) {
        const Value& v = g.values[i];
        const block::Op* op = g.producer(i);
        const bool kept = op && keep[static_cast<std::size_t>(op - g.ops.data())];
        if (kept) {
            out.op(*op, v.name, op->attributes);
            out.graph.values[out.map[i]].output = v.output || (readBy(g, i, all) && !readBy(g, i, keep));
            continue;
        }
        const bool unread = !op && !readBy(g, i, all);
        if (!readBy(g, i, keep) && !unread) continue;
        auto data = op ? recordedValue(recorded, v.name) : Result<Tensor>(*v.data);
        if (!data) return data.error();
        out.leaf(i,
                 op && g.fromWeights(i) ? Role::weight
                 : op                   ? Role::input
                                        : v.role,
                 v.name, std::move(*data));
    }
    return Case{std::move(out.graph), from.passes};
}

Result<Case> withFittingPasses(Case from) {
    const auto bound = block::bind(from.graph);
    if (!bound) return bound.error();
    std::vector<lower::PassChoice> fitting;
    for (lower::PassChoice choice : from.passes) {
        if (!choice.ops.empty()) {
            const auto fits = lower::fittingOps(*bound, choice.id, choice.variant);
            std::erase_if(choice.ops,
                          [&](const std::string& op) { return !std::count(fits.begin(), fits.end(), op); });
            if (choice.ops.empty()) continue; // without names it would act everywhere
        }
        if (lower::checkFit(*bound, choice)) fitting.push_back(std::move(choice));
    }
    from.passes = std::move(fitting);
    return from;
}

std::string identityOf(const Case& from) {
    Graph structure = from.graph;
    std::string out;
    for (Value& v : structure.values) {
        if (!v.data) continue;
        const Tensor data = compacted(*v.data);
        const auto bytes = static_cast<std::size_t>(data.elements()) * itemSize(data.dtype());
        out += toString(run::keyOf({reinterpret_cast<const char*>(data.view().data), bytes})) + ' ';
        v.data.reset();
    }
    for (const auto& pass : from.passes) out += toString(pass) + ' ';
    return out + block::graphText(structure);
}

CaseSize sizeOf(const Case& from) {
    CaseSize out{from.graph.ops.size(), from.passes.size(), 0, 0, {}};
    const auto bound = block::bind(from.graph);
    if (!bound) return out;
    for (ValueIndex i = 0; i < bound->shapes.size(); ++i) {
        const Value& v = bound->graph.values[i];
        const std::int64_t n = elementCount(bound->shapes[i]).value_or(0);
        if (v.role != Role::intermediate) out.numbers += n;
        if (!v.output) continue;
        out.outputs += n;
        out.outputShapes.push_back(bound->shapes[i]);
    }
    return out;
}

std::string toString(const CaseSize& s) {
    const auto plural = [](std::size_t n, const char* what, const char* many) {
        return fmt::format("{} {}", n, n == 1 ? what : many);
    };
    std::vector<std::string> shapes;
    for (const Shape& shape : s.outputShapes)
        shapes.push_back(shape.empty() ? "a scalar" : fmt::format("{}", fmt::join(shape, " x ")));
    return fmt::format("{}, {}, {} in, {} out", plural(s.ops, "op", "ops"),
                       plural(s.passes, "pass", "passes"),
                       plural(static_cast<std::size_t>(s.numbers), "number", "numbers"),
                       shapes.empty() ? "nothing" : fmt::format("{}", fmt::join(shapes, " and ")));
}

} // namespace divdet::hunt
