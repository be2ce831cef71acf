#include "block/presets/parts.h"

namespace divdet::block::presets {

Graph transformer(const PresetOptions& options) {
    Graph g;
    g.name = "transformer";
    g.dims = {{"tokens", 64}, {"width", 256}, {"heads", 4}, {"hidden", 1024}, {"vocab", 512}};
    const auto x = g.addInput("x", {"tokens", "width"});
    addLogits(g, options, addLayer(g, options, "", x));
    return g;
}

} // namespace divdet::block::presets
