#include <fmt/format.h>

#include "lower/pass_def.h"
#include "lower/passes/counted_variant.h"
#include "lower/passes/order_ranks.h"

namespace divdet::lower::passes {
namespace {

constexpr int kMaxSplits = 1024;

std::optional<int> splitsOf(std::string_view variant) {
    return countedVariant(variant, "splitk:", 2, kMaxSplits);
}

std::optional<std::string> otherVariant(std::string_view text) {
    const auto n = splitsOf(text);
    return n ? std::optional(fmt::format("splitk:{}", *n)) : std::nullopt;
}

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return block::opDef(op.kind).traits.longSum
               ? ""
               : block.graph.opName(op) + " adds nothing up along a dimension";
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const auto n = splitsOf(variant);
    const SumOrder order = n                      ? SumOrder::splitK
                           : variant == "strided" ? SumOrder::strided
                                                  : SumOrder::pairwise;
    const int rank = n ? kChunksRank : kTreeRank;
    return {{Slot::order, rank, [order, n](Slots& s) {
                 s.order = order;
                 s.splits = n.value_or(1);
             }}};
}

} // namespace

/// Which tree each variant is stands in kernels/numerics: the backend adds in exactly that order.
const PassDef& reassociate() {
    static const PassDef def{{"splitk:8", "pairwise", "strided"},  otherVariant,
                             "splitk:N (N from 2 to 1024)",        whyNot,
                             "no op of this block has a long sum", claims};
    return def;
}

} // namespace divdet::lower::passes
