#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return op.kind == block::OpKind::causal_mask ? "" : block.graph.opName(op) + " is no causal mask";
}

void rewrite(block::BoundGraph& block, std::size_t at, std::string_view) {
    block::Attributes& attributes = block.graph.ops[at].attributes;
    attributes["offset"] = block::integerOr(attributes, "offset", 0) + 1;
}

} // namespace

const PassDef& maskOffByOne() {
    static const PassDef def{{}, nullptr, "", whyNot, "this block has no causal mask", nullptr, rewrite};
    return def;
}

} // namespace divdet::lower::passes
