#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph&, const block::Op&, std::string_view) {
    return "";
}

/// Every op can store fp16; only products have operands.
std::vector<Claim> claims(const block::BoundGraph&, const block::Op& op, std::string_view) {
    std::vector<Claim> all{{Slot::storage, 0, [](Slots& s) { s.storage = DType::f16; }}};
    if (block::opDef(op.kind).traits.matrixProduct)
        all.push_back(
            {Slot::operand, operandRank(Operand::fp16), [](Slots& s) { s.operand = Operand::fp16; }});
    return all;
}

} // namespace

const PassDef& fp16() {
    static const PassDef def{{}, nullptr, "", whyNot, "this block has no op", claims};
    return def;
}

} // namespace divdet::lower::passes
