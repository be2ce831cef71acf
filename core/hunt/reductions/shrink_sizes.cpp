#include <algorithm>
#include <map>

#include "hunt/reducer.h"
#include "hunt/tied_axes.h"

namespace divdet::hunt::reductions {
namespace {

Result<bool> slice(Reducer& reducer, const Case& from, const TiedAxes& axes, std::int64_t first,
                   std::int64_t extent) {
    return reducer.offer({sliced(from.graph, axes, first, extent), from.passes});
}

/// The shortest start of the axes that fails, from below: short runs cost next to nothing, so that one power
/// of two after the other is cheaper than halving a large case. Then by halving between the two. True: it
/// became shorter.
Result<bool> shorten(Reducer& reducer, const TiedAxes& axes) {
    const Case whole = reducer.now();
    std::int64_t good = 0;
    for (std::int64_t extent = 1; extent < axes.extent; good = extent, extent *= 2) {
        auto taken = slice(reducer, whole, axes, 0, extent);
        if (!taken) return taken.error();
        if (!*taken) continue;
        for (std::int64_t bad = extent; bad - good > 1;) {
            const std::int64_t middle = good + (bad - good) / 2;
            taken = slice(reducer, whole, axes, 0, middle);
            if (!taken) return taken.error();
            (*taken ? bad : good) = middle;
        }
        return true;
    }
    return false;
}

/// Where the start alone does not fail, the failure may lie in the second half.
Result<bool> halve(Reducer& reducer, const TiedAxes& axes) {
    const std::int64_t half = axes.extent / 2;
    return slice(reducer, reducer.now(), axes, axes.extent - half, half);
}

/// The ties, and behind them all axes of one extent as one: a pass may need what the ops do not (weights that
/// are swapped have one shape).
std::vector<TiedAxes> candidatesOf(const block::Graph& graph) {
    std::vector<TiedAxes> out = tiedAxes(graph);
    std::map<std::int64_t, std::pair<int, TiedAxes>> byExtent;
    for (const TiedAxes& t : out) {
        auto& [count, merged] = byExtent[t.extent];
        ++count;
        merged.extent = t.extent;
        for (const Axis& a : t.axes)
            if (!std::count(merged.axes.begin(), merged.axes.end(), a)) merged.axes.push_back(a);
    }
    for (auto& [extent, group] : byExtent)
        if (group.first > 1) out.push_back(std::move(group.second));
    return out;
}

} // namespace

Status shrinkSizes(Reducer& reducer) {
    // The ties are found anew after every change: extents that were equal by chance need not stay so.
    for (std::size_t i = 0; !reducer.spent();) {
        const auto ties = candidatesOf(reducer.now().graph);
        if (i >= ties.size()) break;
        auto shorter = shorten(reducer, ties[i]);
        if (!shorter) return shorter.error();
        if (!*shorter) shorter = halve(reducer, ties[i]);
        if (!shorter) return shorter.error();
        if (!*shorter) ++i;
    }
    return Done{};
}

} // namespace divdet::hunt::reductions
