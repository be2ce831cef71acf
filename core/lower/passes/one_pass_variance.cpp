#include <fmt/format.h>

#include "block/presets.h"
#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    if (op.kind == block::OpKind::layernorm) return "";
    return block.graph.opName(op) + " is " + std::string(block::name(op.kind)) + ", which has no variance";
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::formula, 0, [](Slots& s) { s.formula = Formula::onePassVariance; }}};
}

/// The preset itself where its norm can be chosen, else those whose can.
std::string elsewhere(const block::BoundGraph& block) {
    std::vector<std::string_view> others;
    for (const block::PresetInfo& preset : block::presetList()) {
        if (!preset.options.norm) continue;
        if (preset.id == block.graph.name) return fmt::format("--norm layer gives {} one", preset.id);
        others.push_back(preset.id);
    }
    return fmt::format("--norm layer gives one to {}", fmt::join(others, ", "));
}

} // namespace

const PassDef& onePassVariance() {
    static const PassDef def{.whyNot = whyNot,
                             .whyNoOp = "this block has no layer norm",
                             .claims = claims,
                             .elsewhere = elsewhere};
    return def;
}

} // namespace divdet::lower::passes
