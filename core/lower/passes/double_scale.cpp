#include "block/ops/scale/scale.h"
#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    if (op.kind != block::OpKind::scale) return block.graph.opName(op) + " multiplies by no constant";
    const double f = block::ops::scaleFactor(op.attributes);
    return f * f != f ? "" : block.graph.opName(op) + " multiplies by 1 or 0, which twice is the same";
}

/// A second op would be a tap without a partner, so the one op multiplies by the square.
void rewrite(block::BoundGraph& block, std::size_t at, std::string_view) {
    block::Attributes& attributes = block.graph.ops[at].attributes;
    const double f = block::ops::scaleFactor(attributes);
    attributes = {{"factor", f * f}};
}

} // namespace

const PassDef& doubleScale() {
    static const PassDef def{{},      nullptr, "", whyNot, "this block scales nothing by a constant",
                             nullptr, rewrite};
    return def;
}

} // namespace divdet::lower::passes
