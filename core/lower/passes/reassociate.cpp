#include <charconv>

#include <fmt/format.h>

#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

constexpr int kMaxSplits = 1024;

std::optional<int> splitsOf(std::string_view variant) {
    constexpr std::string_view kPrefix = "splitk:";
    if (!variant.starts_with(kPrefix)) return std::nullopt;
    variant.remove_prefix(kPrefix.size());
    int n = 0;
    const auto [end, error] = std::from_chars(variant.data(), variant.data() + variant.size(), n);
    if (error != std::errc() || end != variant.data() + variant.size() || n < 2 || n > kMaxSplits)
        return std::nullopt;
    return n;
}

std::optional<std::string> otherVariant(std::string_view text) {
    const auto n = splitsOf(text);
    return n ? std::optional(fmt::format("splitk:{}", *n)) : std::nullopt;
}

std::string whyNot(const block::BoundGraph& block, const block::Op& op) {
    return block::opDef(op.kind).traits.longSum
               ? ""
               : block.graph.opName(op) + " adds nothing up along a dimension";
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const auto n = splitsOf(variant);
    const SumOrder order = n                      ? SumOrder::splitK
                           : variant == "strided" ? SumOrder::strided
                                                  : SumOrder::pairwise;
    return {{Slot::order, 0, [order, n](Slots& s) {
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
