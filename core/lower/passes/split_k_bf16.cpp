#include "lower/pass_def.h"
#include "lower/passes/order_ranks.h"

namespace divdet::lower::passes {
namespace {

/// Norms, softmax and scatter-add have no kernel that leaves partial sums in memory.
std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    if (termsOf(block, op) > 0) return "";
    return block.graph.opName(op) + " combines no partial sums";
}

/// The chunks are those of reassociate=splitk:N or atomics where one of them is on.
std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::order, kAnyChunksRank,
             [](Slots& s) {
                 s.order = SumOrder::splitK;
                 s.splits = kDefaultSplits;
             },
             true},
            {Slot::partials, kFaultRank, [](Slots& s) { s.partials = DType::bf16; }}};
}

} // namespace

const PassDef& splitKBf16() {
    static const PassDef def{
        {}, nullptr, "", whyNot, "this block has no matrix product and no sum along rows", claims};
    return def;
}

} // namespace divdet::lower::passes
