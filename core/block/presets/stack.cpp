#include <fmt/format.h>

#include "block/presets/parts.h"

namespace divdet::block::presets {

Graph stack(const PresetOptions& options) {
    constexpr std::int64_t kLayers = 4;
    const std::int64_t layers = options.layers.value_or(kLayers);
    Graph g;
    g.name = "stack";
    g.dims = {{"layers", layers, true}, {"tokens", 32}, {"width", 128}, {"heads", 4},
              {"hidden", 512},          {"vocab", 512}};
    auto x = g.addInput("x", {"tokens", "width"});
    for (std::int64_t i = 0; i < layers; ++i) x = addLayer(g, options, fmt::format("layer{}.", i), x);
    addLogits(g, options, x);
    return g;
}

} // namespace divdet::block::presets
