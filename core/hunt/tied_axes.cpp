#include "hunt/tied_axes.h"

#include <algorithm>

#include "block/bind.h"
#include "tensor/convert.h"

namespace divdet::hunt {
namespace {

using block::Graph;

/// Shapes alone, so that asking costs nothing.
Graph withoutData(Graph g) {
    for (block::Value& v : g.values) v.data.reset();
    return g;
}

bool fits(const Graph& plain, const std::vector<Axis>& axes, std::int64_t extent) {
    Graph g = plain;
    for (const Axis& a : axes) g.values[a.value].dims[a.dimension] = extent;
    return block::bind(g).ok();
}

/// A smallest set with `axis` among axes of its extent; empty: there is none. From below first: an extent
/// that is equal by chance (the columns of a square weight) hides behind ties of two when sets are thinned
/// from above one axis at a time.
std::vector<Axis> smallestWith(const Graph& plain, const Axis& axis, std::vector<Axis> set,
                               std::int64_t extent) {
    if (fits(plain, {axis}, extent)) return {axis};
    for (const Axis& other : set)
        if (!(other == axis) && fits(plain, {axis, other}, extent)) return {axis, other};
    if (!fits(plain, set, extent)) return {};
    for (std::size_t i = set.size(); i-- > 0;) {
        if (set[i] == axis) continue;
        std::vector<Axis> fewer = set;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (fits(plain, fewer, extent)) set = std::move(fewer);
    }
    return set;
}

} // namespace

std::vector<TiedAxes> tiedAxes(const Graph& graph) {
    const Graph plain = withoutData(graph);
    std::vector<Axis> all;
    for (block::ValueIndex v = 0; v < plain.values.size(); ++v)
        for (std::size_t d = 0; d < plain.values[v].dims.size(); ++d) all.push_back({v, d});
    const auto extentOf = [&](const Axis& a) { return plain.values[a.value].dims[a.dimension].value; };

    std::vector<TiedAxes> out;
    const auto known = [&](const Axis& a) {
        return std::any_of(out.begin(), out.end(), [&](const TiedAxes& t) {
            return std::count(t.axes.begin(), t.axes.end(), a) > 0;
        });
    };
    for (const Axis& axis : all) {
        const std::int64_t extent = extentOf(axis);
        if (extent < 2 || known(axis)) continue;
        std::vector<Axis> same;
        std::copy_if(all.begin(), all.end(), std::back_inserter(same),
                     [&](const Axis& a) { return extentOf(a) == extent; });
        // One less fits most ops; heads, windows and groups ask for a divisor.
        for (const std::int64_t shorter : {extent - 1, extent / 2}) {
            auto tied = smallestWith(plain, axis, same, shorter);
            if (tied.empty()) continue;
            out.push_back({std::move(tied), extent});
            break;
        }
    }
    return out;
}

Graph sliced(const Graph& graph, const TiedAxes& axes, std::int64_t first, std::int64_t extent) {
    Graph g = graph;
    for (const Axis& a : axes.axes) {
        block::Value& v = g.values[a.value];
        TensorView view = v.data->view();
        view.data += first * view.strides[a.dimension];
        view.shape[a.dimension] = extent;
        v.data = compacted(Tensor(std::move(view), std::make_shared<const Tensor>(*v.data)));
        v.dims[a.dimension] = extent;
    }
    return g;
}

} // namespace divdet::hunt
