#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {

/// The error is far larger than any before it, the noise of the declared arithmetic, and what an operator
/// that takes a mean away makes of them.
void jump(const Chain& chain, std::vector<TapFinding>& out) {
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const ChainTap& tap = chain.taps[t];
        const double limit = kJump * tap.expected();
        if (!tap.facts->judged || !(tap.facts->error > limit)) continue;
        if (tap.exactSum) continue; // the add is judged by itself: what it inherits may cancel
        out.push_back(
            {t,
             tap.facts->error / limit,
             {"jump",
              FindingClass::bug,
              fmt::format("The error is {:.3g} of the signal, {:.3g} times what the taps before, the "
                          "dtype and the declared steps lead one to expect.",
                          tap.facts->error, tap.facts->error / tap.expected()),
              {{"relative_error", tap.facts->error},
               {"expected", tap.expected()},
               {"earlier", tap.earlier},
               {"noise_floor", tap.floor}}}});
    }
}

} // namespace divdet::tap_rules
