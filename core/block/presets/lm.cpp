#include <fmt/format.h>

#include "block/presets/lm_weights.h"
#include "block/presets/parts.h"

/// The forward pass of resources/lm/model.py: token and place tables, two layers with SiLU, logits. Tokens
/// are texts of `context` each, one behind the other. `targets` is read by no op: it stands beside the taps
/// so that whoever has the logits can tell right from wrong.
namespace divdet::block::presets {
namespace {

constexpr std::int64_t kLayers = 2, kTokens = 2048, kContext = 64;

/// Row numbers below `limit`.
ValueIndex addNumbers(Graph& g, const char* name, const char* limit) {
    return g.addInput(name, {"tokens"}, {FillKind::indices, 1, 0, 1, {}, limit});
}

Tensor places() {
    std::vector<float> place(static_cast<std::size_t>(kTokens));
    for (std::size_t i = 0; i < place.size(); ++i)
        place[i] = static_cast<float>(i % static_cast<std::size_t>(kContext));
    return tensorOf<float>(DType::f32, {kTokens}, place);
}

void takeTrained(Graph& g) {
    for (Value& v : g.values) {
        if (v.role == Role::intermediate) continue;
        v.firstRows = v.role == Role::input;
        if (v.name == "positions")
            v.data = places();
        else if (const Tensor* t = trainedTensor(v.name))
            v.data = *t;
    }
}

} // namespace

Graph lm(const PresetOptions& given) {
    PresetOptions options = given;
    options.activation = "silu";
    Graph g;
    g.name = "lm";
    g.dims = {{"layers", kLayers, true}, {"tokens", kTokens}, {"context", kContext, true},
              {"width", 64, true},       {"heads", 2, true},  {"hidden", 128, true},
              {"vocab", 54, true}};
    const auto ids = addNumbers(g, "ids", "vocab");
    const auto positions = addNumbers(g, "positions", "context");
    addNumbers(g, "targets", "vocab");
    const auto table = g.addWeight("embed.weight", {"vocab", "width"}, {});
    const auto placeTable = g.addWeight("place.weight", {"context", "width"}, {});
    const auto embedded = g.addOp(OpKind::embedding, "embed", {ids, table});
    const auto place = g.addOp(OpKind::embedding, "place", {positions, placeTable});
    auto x = g.addOp(OpKind::add, "x", {embedded, place});
    for (std::int64_t i = 0; i < kLayers; ++i) x = addLayer(g, options, fmt::format("layer{}.", i), x);
    addLogits(g, options, x);
    takeTrained(g);
    return g;
}

} // namespace divdet::block::presets
