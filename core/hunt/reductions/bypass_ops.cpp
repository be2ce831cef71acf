#include <algorithm>

#include "hunt/reducer.h"

namespace divdet::hunt::reductions {

/// Runs of ops, half of them at first, then ever shorter ones: the complements of delta debugging. The rest
/// of the ops is tried again at the same length after each that could go.
Status bypassOps(Reducer& reducer) {
    for (std::size_t length = reducer.now().graph.ops.size() / 2; length > 0; length /= 2) {
        std::size_t first = 0;
        while (first < reducer.now().graph.ops.size()) {
            const std::size_t ops = reducer.now().graph.ops.size();
            if (ops == 1) return Done{};
            const auto recorded = reducer.recorded();
            if (!recorded) return recorded.error();
            std::vector<bool> keep(ops, true);
            std::fill_n(keep.begin() + static_cast<std::ptrdiff_t>(first), std::min(length, ops - first),
                        false);
            auto candidate = withOps(reducer.now(), keep, **recorded);
            if (!candidate) return candidate.error();
            const auto taken = reducer.offer(std::move(*candidate));
            if (!taken) return taken.error();
            if (!*taken) first += length;
        }
    }
    return Done{};
}

} // namespace divdet::hunt::reductions
