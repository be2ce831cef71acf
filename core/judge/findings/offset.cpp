#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/linear_error.h"

namespace divdet::findings {

/// c ≈ r + shift: one number added everywhere explains nearly all of the error.
std::optional<Finding> offset(const PairEvidence& pair) {
    const auto e = linearError(pair);
    if (!e || !explains(pair, e->shiftLeft) || e->gainLeft <= e->shiftLeft) return {};
    if (constantOutput(pair)) return {}; // the stronger statement
    const double share = shareExplained(pair, 1, e->shift);
    if (share < kLeastExplained) return {};
    return Finding{
        "offset",
        FindingClass::bug,
        fmt::format("The candidate is the reference {} {:.6g}: that explains {:.4g} % of the squared "
                    "error. A bias that was left out or added twice looks like this.",
                    e->shift < 0 ? "minus" : "plus", std::abs(e->shift), 100 * (1 - e->shiftLeft)),
        {{"offset", e->shift}, {"unexplained", e->shiftLeft}, {"elements_explained", share}}};
}

} // namespace divdet::findings
