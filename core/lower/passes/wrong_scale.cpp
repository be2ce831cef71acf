#include <fmt/format.h>

#include "lower/pass_def.h"
#include "lower/passes/counted_variant.h"
#include "lower/passes/implied_int8.h"

namespace divdet::lower::passes {
namespace {

constexpr int kMaxChannel = 1 << 24;

std::optional<int> channelOf(std::string_view variant) {
    return countedVariant(variant, "channel:", 0, kMaxChannel);
}

std::optional<std::string> otherVariant(std::string_view text) {
    const auto n = channelOf(text);
    return n ? std::optional(fmt::format("channel:{}", *n)) : std::nullopt;
}

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    if (auto why = needsWeights(block, op); !why.empty()) return why;
    if (columnsOf(block, op) > 1) return "";
    return block.graph.opName(op) + " has one output channel, which has no neighbour";
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const int channel = channelOf(variant).value_or(0);
    return {impliedInt8(), {Slot::scales, kFaultRank, [channel](Slots& s) {
                                s.scales = Scales::neighbour;
                                s.scaleChannel = channel;
                            }}};
}

} // namespace

const PassDef& wrongScale() {
    static const PassDef def{{"channel:0"},
                             otherVariant,
                             "channel:N (N counted modulo the channels)",
                             whyNot,
                             "this block has no product with several channels of weights",
                             claims};
    return def;
}

} // namespace divdet::lower::passes
