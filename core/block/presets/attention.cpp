#include "block/presets/parts.h"

namespace divdet::block::presets {

Graph attention(const PresetOptions& options) {
    Graph g;
    g.name = "attention";
    g.dims = {{"tokens", 64}, {"width", 256}, {"heads", 4}};
    const auto x = g.addInput("x", {"tokens", "width"});
    const auto branch = addAttention(g, options, "", x);
    g.markOutput(g.addOp(OpKind::add, "out", {x, branch}));
    return g;
}

} // namespace divdet::block::presets
