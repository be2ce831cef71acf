#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return needsMatrixProduct(block, op);
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const Tf32Mode mode = variant == "rna"  ? Tf32Mode::nearestAway
                          : variant == "rz" ? Tf32Mode::towardZero
                                            : Tf32Mode::nearestEven;
    return {{Slot::operand, operandRank(Operand::tf32), [mode](Slots& s) {
                 s.operand = Operand::tf32;
                 s.tf32Mode = mode;
             }}};
}

} // namespace

const PassDef& tf32() {
    static const PassDef def{{"rne", "rna", "rz"}, nullptr, "", whyNot, kNoMatrixProduct, claims};
    return def;
}

} // namespace divdet::lower::passes
