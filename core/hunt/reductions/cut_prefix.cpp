#include "hunt/reducer.h"

namespace divdet::hunt::reductions {

/// By halving, as truncateSuffix. What stands before the cut is not run with the passes on either: only the
/// reference's values stay of it.
Status cutPrefix(Reducer& reducer) {
    const Case whole = reducer.now();
    const auto recorded = reducer.recorded();
    if (!recorded) return recorded.error();
    const std::size_t ops = whole.graph.ops.size();
    std::size_t bad = 0, good = ops; // without so many ops
    while (good - bad > 1) {
        const std::size_t middle = bad + (good - bad) / 2;
        std::vector<bool> keep(ops, true);
        std::fill_n(keep.begin(), middle, false);
        auto candidate = withOps(whole, keep, **recorded);
        if (!candidate) return candidate.error();
        const auto taken = reducer.offer(std::move(*candidate));
        if (!taken) return taken.error();
        (*taken ? bad : good) = middle;
    }
    return Done{};
}

} // namespace divdet::hunt::reductions
