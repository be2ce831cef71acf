#include "hunt/reducer.h"

namespace divdet::hunt::reductions {
namespace {

/// An output that ops read goes on being computed; one that nobody reads goes with its op.
Result<Case> withoutOutput(const Case& from, block::ValueIndex output, const run::Taps& recorded) {
    Case out = from;
    out.graph.values[output].output = false;
    if (!out.graph.users(output).empty()) return out;
    std::vector<bool> keep(out.graph.ops.size(), true);
    for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = out.graph.ops[i].output != output;
    return withOps(out, keep, recorded);
}

Case withoutValue(const Case& from, block::ValueIndex gone) {
    Case out = from;
    out.graph.values.erase(out.graph.values.begin() + static_cast<std::ptrdiff_t>(gone));
    const auto moved = [gone](block::ValueIndex& i) { i -= i > gone ? 1 : 0; };
    for (block::Op& op : out.graph.ops) {
        for (block::ValueIndex& in : op.inputs) moved(in);
        moved(op.output);
    }
    return out;
}

} // namespace

Status dropOutputs(Reducer& reducer) {
    std::vector<std::string> outputs = reducer.now().graph.outputs();
    for (std::size_t i = 0; i < outputs.size() && reducer.now().graph.outputs().size() > 1; ++i) {
        const auto at = reducer.now().graph.find(outputs[i]);
        if (!at) continue;
        const auto recorded = reducer.recorded();
        if (!recorded) return recorded.error();
        auto candidate = withoutOutput(reducer.now(), *at, **recorded);
        if (!candidate) return candidate.error();
        if (const auto taken = reducer.offer(std::move(*candidate)); !taken) return taken.error();
    }
    // Inputs that stand for themselves: targets of a task metric. Last first, so that places stay.
    for (block::ValueIndex i = reducer.now().graph.values.size(); i-- > 0;) {
        const block::Graph& g = reducer.now().graph;
        if (g.values[i].role == block::Role::intermediate || !g.users(i).empty()) continue;
        if (const auto taken = reducer.offer(withoutValue(reducer.now(), i)); !taken) return taken.error();
    }
    return Done{};
}

} // namespace divdet::hunt::reductions
