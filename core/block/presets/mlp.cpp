#include "block/graph.h"

namespace divdet::block::presets {
namespace {

constexpr std::int64_t kTokens = 64, kWidth = 512, kHidden = 2048;
constexpr double kSigma = 0.005; ///< of the weights at the sizes above; the residual stays the larger term

} // namespace

/// The lesson lives in the ratio of the branch to the residual, so other sizes scale the weights to keep it.
Graph mlp() {
    Graph g;
    g.name = "mlp";
    g.dims = {{"tokens", kTokens}, {"width", kWidth}, {"hidden", kHidden}};
    const Filling weights{
        FillKind::normal, kSigma, 0, static_cast<double>(kWidth * kHidden), {"width", "hidden"}};
    const Filling ones{FillKind::ones};
    const auto x = g.addInput("x", {"tokens", "width"});
    const auto gain = g.addWeight("norm.gain", {"width"}, ones);
    const auto wUp = g.addWeight("up.weight", {"width", "hidden"}, weights);
    const auto wDown = g.addWeight("down.weight", {"hidden", "width"}, weights);
    const auto norm = g.addOp(OpKind::rmsnorm, "norm", {x, gain}, {{"eps", 1e-6}});
    const auto up = g.addOp(OpKind::matmul, "up", {norm, wUp});
    const auto act = g.addOp(OpKind::gelu, "act", {up});
    const auto down = g.addOp(OpKind::matmul, "down", {act, wDown});
    g.markOutput(g.addOp(OpKind::add, "out", {x, down}));
    return g;
}

} // namespace divdet::block::presets
