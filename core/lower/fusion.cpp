#include "lower/fusion.h"

#include <algorithm>

namespace divdet::lower {

std::vector<std::size_t> fusableConsumers(const block::BoundGraph& block, const block::Op& product) {
    const block::Graph& graph = block.graph;
    std::vector<std::size_t> chain;
    block::ValueIndex value = product.output;
    while (!graph.values[value].output) {
        const auto users = graph.users(value);
        if (users.size() != 1) break;
        const block::Op& next = graph.ops[users[0]];
        if (!block::opDef(next.kind).traits.pointwise) break;
        // A value that only repeats along another one (a gain computed on the way) is no running value.
        if (block.shapes[next.output] != block.shapes[value]) break;
        // An op that reads the value twice (v + v) cannot take it as its running value.
        if (std::count(next.inputs.begin(), next.inputs.end(), value) != 1) break;
        chain.push_back(users[0]);
        value = next.output;
    }
    return chain;
}

} // namespace divdet::lower
