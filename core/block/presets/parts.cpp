#include "block/presets/parts.h"

namespace divdet::block::presets {
namespace {

constexpr double kEps = 1e-6;

} // namespace

ValueIndex addNorm(Graph& g, const PresetOptions& options, const std::string& name, ValueIndex x) {
    const auto gain = g.addWeight(name + ".gain", {"width"}, {FillKind::ones});
    if (options.norm != "layer") return g.addOp(OpKind::rmsnorm, name, {x, gain}, {{"eps", kEps}});
    const auto bias = g.addWeight(name + ".bias", {"width"}, {FillKind::zeros});
    return g.addOp(OpKind::layernorm, name, {x, gain, bias}, {{"eps", kEps}});
}

ValueIndex addActivation(Graph& g, const PresetOptions& options, const std::string& name, ValueIndex x) {
    const OpKind kind = options.activation == "silu"   ? OpKind::silu
                        : options.activation == "relu" ? OpKind::relu
                                                       : OpKind::gelu;
    return g.addOp(kind, name, {x});
}

ValueIndex addLinear(Graph& g, const std::string& name, ValueIndex x, const char* rows, const char* columns) {
    // (1 / rows²)^(1/4) = 1/√rows.
    const Filling filling{FillKind::normal, 1, 0, 1, {rows, rows}};
    const auto weight = g.addWeight(name + ".weight", {rows, columns}, filling);
    return g.addOp(OpKind::matmul, name, {x, weight});
}

ValueIndex addAttention(Graph& g, const PresetOptions& options, const std::string& prefix, ValueIndex x) {
    const auto op = [&](OpKind kind, const char* name, std::vector<ValueIndex> in,
                        Attributes attributes = {}) {
        return g.addOp(kind, prefix + name, std::move(in), std::move(attributes));
    };
    Attributes cut{{"heads", "heads"}};
    for (const DimDefault& d : g.dims)
        if (d.name == "context") cut["window"] = "context";
    const auto heads = [&](const char* name, ValueIndex v) {
        return op(OpKind::split_heads, name, {v}, cut);
    };
    const auto norm = addNorm(g, options, prefix + "norm", x);
    const auto q = addLinear(g, prefix + "q", norm, "width", "width");
    const auto k = addLinear(g, prefix + "k", norm, "width", "width");
    const auto v = addLinear(g, prefix + "v", norm, "width", "width");
    const auto qHeads = heads("q_heads", q), kHeads = heads("k_heads", k), vHeads = heads("v_heads", v);
    const auto keys = op(OpKind::transpose, "k_t", {kHeads});
    const auto scores = op(OpKind::matmul, "scores", {qHeads, keys});
    const auto scaled = op(OpKind::scale, "scaled", {scores}, {{"sqrt_of", "heads"}, {"rsqrt_of", "width"}});
    const auto masked = op(OpKind::causal_mask, "masked", {scaled});
    const auto probs = op(OpKind::softmax, "probs", {masked});
    const auto context = op(OpKind::matmul, "context", {probs, vHeads});
    const auto merged = op(OpKind::merge_heads, "merged", {context});
    return addLinear(g, prefix + "proj", merged, "width", "width");
}

ValueIndex addLayer(Graph& g, const PresetOptions& options, const std::string& prefix, ValueIndex x) {
    const auto attention = addAttention(g, options, prefix + "attn.", x);
    const auto middle = g.addOp(OpKind::add, prefix + "attn.out", {x, attention});
    const auto norm = addNorm(g, options, prefix + "mlp.norm", middle);
    const auto up = addLinear(g, prefix + "mlp.up", norm, "width", "hidden");
    const auto act = addActivation(g, options, prefix + "mlp.act", up);
    const auto down = addLinear(g, prefix + "mlp.down", act, "hidden", "width");
    return g.addOp(OpKind::add, prefix + "mlp.out", {middle, down});
}

void addLogits(Graph& g, const PresetOptions& options, ValueIndex x) {
    const auto norm = addNorm(g, options, "final.norm", x);
    g.markOutput(addLinear(g, "logits", norm, "width", "vocab"));
}

} // namespace divdet::block::presets
