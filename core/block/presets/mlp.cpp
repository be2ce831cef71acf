#include "block/presets/parts.h"

namespace divdet::block::presets {
namespace {

constexpr std::int64_t kTokens = 64, kWidth = 512, kHidden = 2048;
constexpr double kSigma = 0.005; ///< of the weights at the sizes above; the residual stays the larger term

} // namespace

/// The lesson lives in the ratio of the branch to the residual, so other sizes scale the weights to keep it.
Graph mlp(const PresetOptions& options) {
    Graph g;
    g.name = "mlp";
    g.dims = {{"tokens", kTokens}, {"width", kWidth}, {"hidden", kHidden}};
    const Filling weights{
        FillKind::normal, kSigma, 0, static_cast<double>(kWidth * kHidden), {"width", "hidden"}};
    const auto x = g.addInput("x", {"tokens", "width"});
    const auto norm = addNorm(g, options, "norm", x);
    const auto wUp = g.addWeight("up.weight", {"width", "hidden"}, weights);
    const auto wDown = g.addWeight("down.weight", {"hidden", "width"}, weights);
    const auto up = g.addOp(OpKind::matmul, "up", {norm, wUp});
    const auto act = addActivation(g, options, "act", up);
    const auto down = g.addOp(OpKind::matmul, "down", {act, wDown});
    g.markOutput(g.addOp(OpKind::add, "out", {x, down}));
    return g;
}

} // namespace divdet::block::presets
