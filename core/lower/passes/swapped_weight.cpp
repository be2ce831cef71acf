#include <utility>

#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

constexpr std::size_t kWeightInput = 1;

/// The weight that a product reads as it is stored; nullopt for other ops.
std::optional<block::ValueIndex> weightOf(const block::Graph& graph, const block::Op& op) {
    if (!block::opDef(op.kind).traits.matrixProduct) return std::nullopt;
    const block::ValueIndex value = op.inputs[kWeightInput];
    return graph.values[value].role == block::Role::weight ? std::optional(value) : std::nullopt;
}

/// The next product of the same kind, in the graph's order, with another weight of the same shape.
std::optional<std::size_t> partnerOf(const block::BoundGraph& block, std::size_t at) {
    const auto& ops = block.graph.ops;
    const auto mine = weightOf(block.graph, ops[at]);
    for (std::size_t i = at + 1; mine && i < ops.size(); ++i) {
        const auto other = weightOf(block.graph, ops[i]);
        if (other && *other != *mine && ops[i].kind == ops[at].kind &&
            block.shapes[*other] == block.shapes[*mine])
            return i;
    }
    return std::nullopt;
}

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    if (auto why = needsMatrixProduct(block, op); !why.empty()) return why;
    const std::string& name = block.graph.opName(op);
    if (!weightOf(block.graph, op)) return name + " has no weight of its own";
    std::size_t at = 0;
    while (block.graph.ops[at].output != op.output) ++at;
    return partnerOf(block, at) ? "" : "no product after " + name + " has another weight of its shape";
}

void rewrite(block::BoundGraph& block, std::size_t at, std::string_view) {
    if (const auto partner = partnerOf(block, at))
        std::swap(block.graph.ops[at].inputs[kWeightInput], block.graph.ops[*partner].inputs[kWeightInput]);
}

} // namespace

const PassDef& swappedWeight() {
    static const PassDef def{.variants = {},
                             .otherVariant = nullptr,
                             .otherVariants = "",
                             .whyNot = whyNot,
                             .whyNoOp = "no two products of this block have weights of the same shape",
                             .claims = nullptr,
                             .rewrite = rewrite,
                             .single = true};
    return def;
}

} // namespace divdet::lower::passes
