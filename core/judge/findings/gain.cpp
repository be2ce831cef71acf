#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/linear_error.h"
#include "judge/simple_ratio.h"

namespace divdet::findings {
namespace {

/// The finite precision of the fit leaves a factor uncertain by about this.
constexpr double kRatioSlack = 1e-3;

} // namespace

/// c ≈ gain·r: one factor explains nearly all of the error.
std::optional<Finding> gain(const PairEvidence& pair) {
    const auto e = linearError(pair);
    if (!e || !explains(pair, e->gainLeft) || e->gainLeft > e->shiftLeft || e->gain == 0) return {};
    if (constantOutput(pair)) return {}; // the stronger statement
    const double share = shareExplained(pair, e->gain, 0);
    if (share < kLeastExplained) return {};
    const auto ratio = simpleRatio(e->gain, kRatioSlack, pair.reference.shape);
    Finding out{"gain",
                FindingClass::bug,
                fmt::format("The candidate is the reference times {:.6g}{}: that explains {:.4g} % of the "
                            "squared error.",
                            e->gain, ratio ? fmt::format(", which is {}", *ratio) : "",
                            100 * (1 - e->gainLeft)),
                {{"gain", e->gain}, {"unexplained", e->gainLeft}, {"elements_explained", share}}};
    if (ratio) out.evidence.emplace_back("ratio", *ratio);
    return out;
}

} // namespace divdet::findings
