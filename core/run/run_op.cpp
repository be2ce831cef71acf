#include "run/run_op.h"

#include <fmt/format.h>

namespace divdet::run {
namespace {

/// What an op that is made to fail answers, on every backend alike.
Error raised(const lower::LoweredOp& op) {
    const std::string& pass = op.setBy[static_cast<std::size_t>(lower::Slot::raise)];
    const bool assertion = op.slots.raise == lower::Raise::assertion;
    return {assertion ? ErrorCode::assertion : ErrorCode::unsupported,
            fmt::format("{} (raised by the pass {})",
                        assertion ? "a kernel's assertion about its shape failed"
                                  : fmt::format("there is no kernel for {}", block::name(op.kind)),
                        pass),
            op.name, fmt::format("switch {} off for this op", pass)};
}

} // namespace

Result<Tensor> runOp(const lower::LoweredGraph& graph, const lower::LoweredOp& op,
                     std::span<const Tensor> inputs, const OpKeys& keys, const Target& target,
                     const Progress& progress) {
    if (op.slots.raise != lower::Raise::nothing) return raised(op);
    auto out = target.backend.runKeyedOp(target.device, op, inputs, keys, progress);
    if (!out) {
        Error e = out.error();
        if (e.path.empty() && e.code != ErrorCode::cancelled) e.path = op.name;
        return e;
    }
    const Shape& shape = graph.block.shapes[op.output];
    if (out->shape() != shape || out->dtype() != op.slots.storage || !out->view().contiguous())
        return Error{ErrorCode::internal,
                     fmt::format("the backend returned {} {} where {} {} was due", divdet::name(out->dtype()),
                                 divdet::toString(out->shape()), divdet::name(op.slots.storage),
                                 divdet::toString(shape)),
                     op.name, ""};
    return out;
}

bool storedOtherwise(const lower::LoweredGraph& graph, block::ValueIndex value) {
    return graph.block.graph.values[value].role != block::Role::intermediate &&
           graph.storage[value] != DType::f32;
}

Key keyStoredAs(DType dtype, const Key& key) {
    return keyOf(fmt::format("stored as {} {}", divdet::name(dtype), toString(key)));
}

Taps tapsOf(const lower::LoweredGraph& graph, std::span<const Tensor> values) {
    const auto& g = graph.block.graph;
    Taps taps;
    taps.fusedAway = graph.fusedAway;
    for (block::ValueIndex i = 0; i < g.values.size(); ++i)
        if (g.values[i].role == block::Role::input)
            taps.taps.push_back({g.values[i].name, "input", values[i]});
    for (const lower::LoweredOp& op : graph.ops)
        taps.taps.push_back({g.values[op.output].name, std::string(block::name(g.producer(op.output)->kind)),
                             values[op.output]});
    return taps;
}

} // namespace divdet::run
