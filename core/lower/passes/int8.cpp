#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const Granularity g = variant == "per-tensor" ? Granularity::perTensor : Granularity::perToken;
    return {{Slot::operand, operandRank(Operand::int8), [g](Slots& s) {
                 s.operand = Operand::int8;
                 s.granularity = g;
             }}};
}

} // namespace

const PassDef& int8() {
    static const PassDef def{{"per-token", "per-tensor"}, nullptr,          "",
                             needsMatrixProduct,          kNoMatrixProduct, claims};
    return def;
}

} // namespace divdet::lower::passes
