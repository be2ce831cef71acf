#include "lower/fusion.h"
#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    if (auto why = needsMatrixProduct(block, op); !why.empty()) return why;
    constexpr std::size_t kWithBias = 3;
    if (op.inputs.size() == kWithBias || !fusableConsumers(block, op).empty()) return "";
    return block.graph.opName(op) + " has no bias, and no activation or residual follows that only it feeds";
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::fusion, 0, [](Slots& s) { s.fused = true; }}};
}

} // namespace

const PassDef& fuse() {
    static const PassDef def{
        {},
        nullptr,
        "",
        whyNot,
        "no matrix product of this block has a bias, a residual or an activation to take in",
        claims};
    return def;
}

} // namespace divdet::lower::passes
