#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return needsWeights(block, op);
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const int group = variant == "group:32" ? 32 : 128;
    return {{Slot::operand, operandRank(Operand::int4), [group](Slots& s) {
                 s.operand = Operand::int4;
                 s.group = group;
             }}};
}

} // namespace

const PassDef& int4Weights() {
    static const PassDef def{{"group:128", "group:32"}, nullptr, "", whyNot, kNoWeights, claims};
    return def;
}

} // namespace divdet::lower::passes
