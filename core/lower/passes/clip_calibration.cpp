#include <fmt/format.h>

#include "lower/pass_def.h"
#include "lower/passes/counted_variant.h"
#include "lower/passes/implied_int8.h"

namespace divdet::lower::passes {
namespace {

/// Part of the true maximum that the scale is made from: of normal numbers about a third lie beyond it.
constexpr float kClip = 0.25f;
constexpr int kMaxChannel = 1 << 24;
constexpr std::string_view kWeight = "weight:", kActivation = "activation:";

std::optional<int> channelOf(std::string_view variant, std::string_view prefix) {
    return countedVariant(variant, prefix, 0, kMaxChannel);
}

std::optional<std::string> otherVariant(std::string_view text) {
    for (const std::string_view prefix : {kWeight, kActivation})
        if (const auto n = channelOf(text, prefix)) return fmt::format("{}{}", prefix, *n);
    return std::nullopt;
}

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return needsWeights(block, op);
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const bool weight = variant.starts_with("weight");
    const int channel = channelOf(variant, weight ? kWeight : kActivation).value_or(0);
    return {impliedInt8(), {Slot::scales, kFaultRank, [weight, channel](Slots& s) {
                                s.scales = weight ? Scales::clippedWeight : Scales::clippedActivation;
                                s.scaleChannel = channel;
                                s.clip = kClip;
                            }}};
}

} // namespace

const PassDef& clipCalibration() {
    static const PassDef def{{"weight", "activation"},
                             otherVariant,
                             "weight:N, activation:N (column or row N; without it 0)",
                             whyNot,
                             kNoWeights,
                             claims};
    return def;
}

} // namespace divdet::lower::passes
