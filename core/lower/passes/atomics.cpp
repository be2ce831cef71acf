#include "lower/pass_def.h"
#include "lower/passes/order_ranks.h"
#include "lower/passes/seed.h"

namespace divdet::lower::passes {
namespace {

/// Norms and softmax add within one thread block, where nobody uses atomics.
std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    const block::OpTraits& traits = block::opDef(op.kind).traits;
    if (traits.matrixProduct || traits.plainSum) return "";
    return block.graph.opName(op) + " adds no partial sums of several thread blocks";
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const std::uint64_t seed = seedOf(variant).value_or(0);
    return {{Slot::order, kArrivalRank, [seed](Slots& s) {
                 s.order = SumOrder::atomics;
                 s.splits = kDefaultSplits;
                 s.orderSeed = seed;
             }}};
}

} // namespace

const PassDef& atomics() {
    static const PassDef def{.variants = {},
                             .otherVariant = canonicalSeed,
                             .otherVariants = kSeedVariants,
                             .whyNot = whyNot,
                             .whyNoOp = "this block has no product and no sum",
                             .claims = claims,
                             .varies = true};
    return def;
}

} // namespace divdet::lower::passes
