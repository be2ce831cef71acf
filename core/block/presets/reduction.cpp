#include "block/presets.h"

namespace divdet::block::presets {

Graph reduction(const PresetOptions&) {
    Graph g;
    g.name = "reduction";
    g.dims = {{"tokens", 64}, {"k", 4096}};
    const auto x = g.addInput("x", {"tokens", "k"});
    g.markOutput(g.addOp(OpKind::reduce_sum, "sum", {x}));
    return g;
}

} // namespace divdet::block::presets
