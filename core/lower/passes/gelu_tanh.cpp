#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return op.kind == block::OpKind::gelu ? "" : block.graph.opName(op) + " is no gelu";
}

/// The graph has one gelu, so the form is a slot of the decomposed op and not another op.
std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::formula, 0, [](Slots& s) { s.formula = Formula::geluTanh; }}};
}

} // namespace

const PassDef& geluTanh() {
    static const PassDef def{{}, nullptr, "", whyNot, "this block has no gelu", claims};
    return def;
}

} // namespace divdet::lower::passes
