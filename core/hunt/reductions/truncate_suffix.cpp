#include "hunt/reducer.h"

namespace divdet::hunt::reductions {

/// By halving: a failure that shows at an op mostly shows behind it as well. Where it does not, a later end
/// than need be is found, which bypassOps then shortens.
Status truncateSuffix(Reducer& reducer) {
    const Case whole = reducer.now();
    const auto recorded = reducer.recorded();
    if (!recorded) return recorded.error();
    const std::size_t ops = whole.graph.ops.size();
    std::size_t good = 0, bad = ops; // with so many ops
    while (bad - good > 1) {
        const std::size_t middle = good + (bad - good) / 2;
        std::vector<bool> keep(ops);
        std::fill_n(keep.begin(), middle, true);
        auto candidate = withOps(whole, keep, **recorded);
        if (!candidate) return candidate.error();
        const auto taken = reducer.offer(std::move(*candidate));
        if (!taken) return taken.error();
        (*taken ? bad : good) = middle;
    }
    return Done{};
}

} // namespace divdet::hunt::reductions
