#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

/// Norms keep their accumulator: their sums are short of the products' and nobody accumulates them on the
/// tensor core, where this mistake is made.
std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    const block::OpTraits& traits = block::opDef(op.kind).traits;
    if (traits.matrixProduct || traits.plainSum) return "";
    return block.graph.opName(op) + " has no running sum of a product or a reduction";
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const Accumulator a = variant == "fp16" ? Accumulator::fp16 : Accumulator::bf16;
    return {{Slot::accumulator, 0, [a](Slots& s) { s.accumulator = a; }}};
}

} // namespace

const PassDef& wrongAccumulator() {
    static const PassDef def{
        {"bf16", "fp16"}, nullptr, "", whyNot, "this block has no matrix product and no reduction", claims};
    return def;
}

} // namespace divdet::lower::passes
