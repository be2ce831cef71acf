#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {
namespace {

/// Both sides took the same lossy steps up to here: so they say, or the tap's own role is equal to the byte
/// in an earlier layer, where a step that only one side takes would have shown.
bool sameSteps(const Chain& chain, std::size_t t) {
    if (chain.context.candidate == chain.context.reference) return true;
    const TapName& name = chain.taps[t].name;
    for (std::size_t i = 0; name.layer && i < t; ++i)
        if (chain.taps[i].name.role == name.role && chain.taps[i].facts->judged) return true;
    return false;
}

} // namespace

/// Everything before this tap is equal, so its difference is its own: more than fresh rounding is a fault
/// here. An operator that takes a mean away may amplify its own rounding by rms/std.
void prefix(const Chain& chain, std::vector<TapFinding>& out) {
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const ChainTap& tap = chain.taps[t];
        const TapFacts& f = *tap.facts;
        if (!tap.sameBefore) continue;
        if (f.same) continue;
        if (!f.judged || !f.sameDType || !sameSteps(chain, t)) return;
        const double limit = freshUlps(f, chain.context) * tap.meanFactor;
        if (!(f.rowUlps > limit)) return;
        out.push_back(
            {t,
             f.rowUlps / limit,
             {"prefix",
              FindingClass::bug,
              fmt::format("Every tap before is equal to the byte, yet this one is off by {:.3g} ulps "
                          "of its rows' size (rms); rounding leaves at most {:.3g}.",
                          f.rowUlps, limit),
              {{"row_ulps", f.rowUlps}, {"limit", limit}, {"relative_error", f.error}}}});
        return;
    }
}

} // namespace divdet::tap_rules
