#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {

/// Half the signal's size is error (SQNR below 6 dB): whatever the cause, this run cannot be used, and what
/// comes later says nothing. Many honest steps of a coarse format can add up to that.
void lost(const Chain& chain, std::vector<TapFinding>& out) {
    constexpr double kHalf = 0.5;
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const TapFacts& f = *chain.taps[t].facts;
        if (!f.judged || !(f.error > kHalf)) continue;
        out.push_back(
            {t,
             f.error / kHalf,
             {"lost",
              FindingClass::unclear,
              fmt::format("The signal is lost here: the error is {:.3g} of it. Either a declared step is "
                          "too coarse for this model, or there is a fault.",
                          f.error),
              {{"relative_error", f.error}}}});
        return;
    }
}

} // namespace divdet::tap_rules
