#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

using block::OpKind;

/// What only moves elements computes no result that could be subnormal.
std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    switch (op.kind) {
    case OpKind::transpose:
    case OpKind::split_heads:
    case OpKind::merge_heads:
    case OpKind::embedding:
        return block.graph.opName(op) + " moves numbers and computes none";
    default:
        return "";
    }
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::subnormals, 0, [](Slots& s) { s.subnormals = Subnormals::flushed; }}};
}

} // namespace

const PassDef& flushToZero() {
    static const PassDef def{{}, nullptr, "", whyNot, "this block computes nothing", claims};
    return def;
}

} // namespace divdet::lower::passes
