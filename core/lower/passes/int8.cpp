#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

/// W8A8 has a scale per channel of the weights; a product of two activations has none.
std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return needsWeights(block, op);
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const Granularity g = variant == "per-tensor" ? Granularity::perTensor : Granularity::perToken;
    return {{Slot::operand, operandRank(Operand::int8), [g](Slots& s) {
                 s.operand = Operand::int8;
                 s.granularity = g;
             }}};
}

} // namespace

const PassDef& int8() {
    static const PassDef def{{"per-token", "per-tensor"}, nullptr, "", whyNot, kNoWeights, claims};
    return def;
}

} // namespace divdet::lower::passes
