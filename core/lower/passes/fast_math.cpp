#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

using block::OpKind;

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    switch (op.kind) {
    case OpKind::gelu:
    case OpKind::silu:
    case OpKind::softmax:
    case OpKind::rmsnorm:
    case OpKind::layernorm:
        return "";
    default:
        return block.graph.opName(op) + " calls no exp, tanh or rsqrt";
    }
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::maths, 0, [](Slots& s) { s.maths = Maths::fast; }}};
}

} // namespace

const PassDef& fastMath() {
    static const PassDef def{{}, nullptr, "", whyNot, "no op of this block calls exp, tanh or rsqrt", claims};
    return def;
}

} // namespace divdet::lower::passes
