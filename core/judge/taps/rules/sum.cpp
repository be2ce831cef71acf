#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {

/// Where the reference shows a tap to be the sum or difference of two others, the candidate's own three must
/// agree as well, whatever they inherited. Theory: one add and its rounding.
void sum(const Chain& chain, std::vector<TapFinding>& out) {
    for (const TapSum& s : chain.sums) {
        const double limit = kJump * s.tolerated;
        if (!(s.residual > limit)) continue;
        const auto &left = chain.taps[s.left].label, &right = chain.taps[s.right].label;
        out.push_back(
            {s.whole,
             s.residual / limit,
             {"sum",
              FindingClass::bug,
              fmt::format("In the reference this is {} {} {}; the candidate's own values miss that by "
                          "{:.3g} of their size.",
                          left, s.sign > 0 ? "+" : "−", right, s.residual),
              {{"residual", s.residual}, {"limit", limit}, {"left", left}, {"right", right}}}});
    }
}

} // namespace divdet::tap_rules
