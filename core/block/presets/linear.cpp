#include "block/presets.h"

namespace divdet::block::presets {

Graph linear(const PresetOptions&) {
    Graph g;
    g.name = "linear";
    g.dims = {{"tokens", 64}, {"width", 512}, {"hidden", 512}};
    // Weights of variance about 1/width make outputs of the size of the inputs.
    const Filling weights{FillKind::normal, 0.044, 0, 512.0 * 512.0, {"width", "width"}};
    const auto x = g.addInput("x", {"tokens", "width"});
    const auto w = g.addWeight("out.weight", {"width", "hidden"}, weights);
    const auto bias = g.addWeight("out.bias", {"hidden"}, {FillKind::normal, 0.1});
    g.markOutput(g.addOp(OpKind::matmul, "out", {x, w, bias}));
    return g;
}

} // namespace divdet::block::presets
