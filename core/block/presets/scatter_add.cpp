#include "block/presets.h"

namespace divdet::block::presets {

/// On average tokens / rows terms meet in each output; the indices are drawn, so some rows get more.
Graph scatterAdd(const PresetOptions&) {
    Graph g;
    g.name = "scatter-add";
    g.dims = {{"tokens", 4096}, {"rows", 64}, {"width", 64}};
    Filling rows{FillKind::indices};
    rows.limit = "rows";
    const auto index = g.addInput("index", {"tokens"}, rows);
    const auto x = g.addInput("x", {"tokens", "width"});
    g.markOutput(g.addOp(OpKind::scatter_add, "out", {index, x}, {{"rows", "rows"}}));
    return g;
}

} // namespace divdet::block::presets
