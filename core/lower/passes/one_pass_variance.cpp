#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    if (op.kind == block::OpKind::layernorm) return "";
    return block.graph.opName(op) + " is " + std::string(block::name(op.kind)) + ", which has no variance";
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::formula, 0, [](Slots& s) { s.formula = Formula::onePassVariance; }}};
}

} // namespace

const PassDef& onePassVariance() {
    static const PassDef def{
        {}, nullptr, "", whyNot, "this block has no layer norm (--norm layer gives a preset one)", claims};
    return def;
}

} // namespace divdet::lower::passes
