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
             std::string(passes::function().otherVariants)},
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

} // namespace divdet::lower
