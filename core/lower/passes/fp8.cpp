#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return needsMatrixProduct(block, op);
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::operand, operandRank(Operand::fp8), [](Slots& s) { s.operand = Operand::fp8; }}};
}

} // namespace

const PassDef& fp8() {
    static const PassDef def{{}, nullptr, "", whyNot, kNoMatrixProduct, claims};
    return def;
}

} // namespace divdet::lower::passes
