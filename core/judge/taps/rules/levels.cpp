#include "judge/taps/levels.h"

#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {

/// An 8-bit scale that fits its tensor leaves some hundred values. A handful, on steps so coarse that a few
/// span the reference's whole range, means a scale made for other data. Long softmax rows, whose values are
/// all below one step of a sound scale, have few values but a range of many steps: those are not meant.
void levels(const Chain& chain, std::vector<TapFinding>& out) {
    if (chain.context.candidate.int4() || chain.context.candidate.fp8()) return; // these have few by nature
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const ChainTap& tap = chain.taps[t];
        const auto& l = tap.facts->levels;
        if (!tap.facts->judged || !l || l->reference <= kManyLevels || l->steps >= kFewLevels) continue;
        if (tap.facts->error <= tap.floor) continue;
        out.push_back({t,
                       static_cast<double>(kFewLevels) / static_cast<double>(l->candidate),
                       {"levels",
                        FindingClass::bug,
                        fmt::format("The candidate has {} distinct values, {:.3g} steps over the reference's "
                                    "range, where the reference has more than {}: its quantisation scale was "
                                    "made for other values.",
                                    l->candidate, l->steps, kManyLevels),
                        {{"candidate_levels", l->candidate}, {"steps", l->steps}}}});
    }
}

} // namespace divdet::tap_rules
