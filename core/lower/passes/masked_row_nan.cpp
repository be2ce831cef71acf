#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return op.kind == block::OpKind::softmax ? "" : block.graph.opName(op) + " is no softmax";
}

/// No preset masks a whole row, so the pass makes the first row of each matrix one, as padding is.
std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::formula, kFaultRank, [](Slots& s) { s.formula = Formula::maskedRowNan; }}};
}

} // namespace

const PassDef& maskedRowNan() {
    static const PassDef def{{}, nullptr, "", whyNot, "this block has no softmax", claims};
    return def;
}

} // namespace divdet::lower::passes
