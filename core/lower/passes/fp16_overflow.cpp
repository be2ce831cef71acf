#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return needsMatrixProduct(block, op);
}

/// The instruction with an fp16 accumulator takes fp16 operands and no other.
std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::operand, kFaultRank, [](Slots& s) { s.operand = Operand::fp16; }},
            {Slot::accumulator, 0, [](Slots& s) { s.accumulator = Accumulator::instructionFp16; }}};
}

} // namespace

const PassDef& fp16Overflow() {
    static const PassDef def{{}, nullptr, "", whyNot, kNoMatrixProduct, claims};
    return def;
}

} // namespace divdet::lower::passes
