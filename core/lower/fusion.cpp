#include "lower/fusion.h"

#include <algorithm>

namespace divdet::lower {

std::vector<std::size_t> fusableConsumers(const block::Graph& graph, const block::Op& product) {
    std::vector<std::size_t> chain;
    block::ValueIndex value = product.output;
    while (!graph.values[value].output) {
        const auto users = graph.users(value);
        if (users.size() != 1) break;
        const block::Op& next = graph.ops[users[0]];
        if (!block::opDef(next.kind).traits.pointwise) break;
        // An op that reads the value twice (v + v) cannot take it as its running value.
        if (std::count(next.inputs.begin(), next.inputs.end(), value) != 1) break;
        chain.push_back(users[0]);
        value = next.output;
    }
    return chain;
}

} // namespace divdet::lower
