#include <algorithm>

#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {

/// Values where the reference's mask leaves exact zeros on a whole diagonal. Theory: what is masked has no
/// value to round; an inherited error cannot bring one back.
void support(const Chain& chain, std::vector<TapFinding>& out) {
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const ChainTap& tap = chain.taps[t];
        if (!tap.facts->judged) continue;
        const double limit = kJump * tap.expected();
        double largest = 0;
        std::int64_t count = 0;
        std::vector<std::int64_t> offsets;
        for (const DiagonalFacts& d : tap.facts->diagonals) {
            if (d.largest <= limit) continue;
            largest = std::max(largest, d.largest);
            count += d.nonZero;
            if (offsets.size() < 4) offsets.push_back(d.offset);
        }
        if (offsets.empty()) continue;
        out.push_back(
            {t,
             largest / limit,
             {"support",
              FindingClass::bug,
              fmt::format("{} element{} not zero on diagonals that the reference masks (column − row "
                          "= {}{}): a mask is shifted or missing.",
                          count, count == 1 ? " is" : "s are", offsets.front(),
                          offsets.size() > 1 ? " and others" : ""),
              {{"elements", count}, {"diagonals", offsets}, {"largest_relative", largest}}}});
    }
}

} // namespace divdet::tap_rules
