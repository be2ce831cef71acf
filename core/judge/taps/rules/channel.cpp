#include <cmath>

#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {
namespace {

/// Tuned: honest channels stand out up to 3.7 times, a clipped one 8 times (judge_measured.md §2).
constexpr double kStandsOut = 6;
/// A gain must be sure, and explain some of the error: errors that come along from earlier taps are
/// correlated and look like gains of any significance.
constexpr double kSureGain = 5, kExplained = 0.3;
constexpr double kClearly = 3; ///< times the noise, without a cause to name
/// A ReLU cuts one side of an error off, which makes a gain of any coarse channel.
constexpr double kMostZeros = 0.3;

Finding describe(const ChannelFacts& c, double zeroShare) {
    const bool gain = zeroShare <= kMostZeros && std::fabs(c.gainZ) > kSureGain && c.explained > kExplained;
    Finding out;
    out.evidence = {{"axis", static_cast<std::int64_t>(c.axis)},
                    {"channel", c.channel},
                    {"times_median", c.excess},
                    {"relative_error", c.relative},
                    {"gain", c.gain},
                    {"explained", c.explained}};
    const auto where = fmt::format("Channel {} of axis {} is {:.3g} times as wrong as the median channel",
                                   c.channel, c.axis, c.excess);
    if (c.limit) {
        out.id = "clipped";
        out.kind = FindingClass::bug;
        out.text = fmt::format("{}: {} of its values lie at the limit {:.6g}, where the reference goes on.",
                               where, c.atLimit, *c.limit);
        out.evidence.emplace_back("limit", *c.limit);
        out.evidence.emplace_back("at_limit", c.atLimit);
    } else if (gain) {
        out.id = "channel-gain";
        out.kind = FindingClass::bug;
        out.text =
            fmt::format("{}, by a factor: it follows the reference times {:.4g}, as after clipped weights "
                        "or a wrong scale.",
                        where, c.gain);
    } else {
        out.id = "coarse-channel";
        out.kind = FindingClass::unclear;
        out.text = fmt::format("{}. Weights of very unequal size make an honest quantisation as coarse; "
                               "without the weights this cannot be told.",
                               where);
    }
    return out;
}

} // namespace

void channel(const Chain& chain, std::vector<TapFinding>& out) {
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const ChainTap& tap = chain.taps[t];
        const auto& c = tap.facts->channel;
        if (!tap.facts->judged || !c || c->excess <= kStandsOut) continue;
        // Rounding differs in few places where most agree: then the median channel says nothing.
        if (c->relative <= tap.allowance) continue;
        Finding f = describe(*c, tap.facts->zeroShare);
        if (f.kind == FindingClass::unclear && c->relative <= kClearly * tap.allowance) continue;
        out.push_back({t, c->excess / kStandsOut, std::move(f)});
    }
}

} // namespace divdet::tap_rules
