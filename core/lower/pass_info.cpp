#include "lower/pass_info.h"

#include "lower/pass_def.h"

namespace divdet::lower {
namespace passes {
#define DIVDET_PASS(function, id, kind, stage, title, sentence) const PassDef& function();
#include "lower/passes.def"
#undef DIVDET_PASS
} // namespace passes

std::string_view name(PassKind kind) {
    return kind == PassKind::drift ? "drift" : "bug";
}

std::string_view name(Stage stage) {
    static constexpr std::string_view kNames[] = {"capture", "decompose", "lower", "replay"};
    return kNames[static_cast<std::size_t>(stage)];
}

std::vector<PassInfo> passList() {
    const auto strings = [](const PassDef& def) {
        return std::vector<std::string>(def.variants.begin(), def.variants.end());
    };
    return {
#define DIVDET_PASS(function, id, kind, stage, title, sentence)                                              \
    PassInfo{id,                                                                                             \
             PassKind::kind,                                                                                 \
             Stage::stage,                                                                                   \
             title,                                                                                          \
             sentence,                                                                                       \
             strings(passes::function()),                                                                    \
             std::string(passes::function().otherVariants),                                                  \
             passes::function().varies},
#include "lower/passes.def"
#undef DIVDET_PASS
    };
}

std::optional<PassInfo> findPass(std::string_view id) {
    for (PassInfo& info : passList())
        if (info.id == id) return std::move(info);
    return std::nullopt;
}

const PassDef* passDef(std::string_view wanted) {
#define DIVDET_PASS(function, id, kind, stage, title, sentence)                                              \
    if (wanted == id) return &passes::function();
#include "lower/passes.def"
#undef DIVDET_PASS
    return nullptr;
}

std::string needsMatrixProduct(const block::BoundGraph& block, const block::Op& op) {
    const block::OpDef& def = block::opDef(op.kind);
    if (def.traits.matrixProduct) return "";
    return block.graph.opName(op) + " is " + std::string(def.name) + ", not a matrix product";
}

std::string needsWeights(const block::BoundGraph& block, const block::Op& op) {
    if (auto why = needsMatrixProduct(block, op); !why.empty()) return why;
    if (block.graph.fromWeights(op.inputs[1])) return "";
    return block.graph.opName(op) +
           " multiplies two activations, and scales belong to the channels of weights";
}

std::int64_t termsOf(const block::BoundGraph& block, const block::Op& op) {
    const auto shape = [&](std::size_t input) -> const Shape& { return block.shapes[op.inputs[input]]; };
    switch (op.kind) {
    case block::OpKind::matmul:
    case block::OpKind::reduce_sum:
        return shape(0).back();
    case block::OpKind::conv2d: { // weight [o, c / groups, kh, kw]
        std::int64_t terms = 1;
        for (std::size_t d = 1; d < shape(1).size(); ++d) terms *= shape(1)[d];
        return terms;
    }
    default:
        return 0;
    }
}

std::int64_t columnsOf(const block::BoundGraph& block, const block::Op& op) {
    const Shape& weights = block.shapes[op.inputs[1]];
    if (op.kind != block::OpKind::conv2d) return weights.back();
    return weights.front() / block::integerOr(op.attributes, "groups", 1);
}

} // namespace divdet::lower
