#include <cmath>

#include <fmt/format.h>

#include "compare/ulp.h"
#include "judge/findings.h"

namespace divdet::findings {

/// Zero where the reference is too small for a normal number of the candidate's type, and nowhere else.
std::optional<Finding> flushToZero(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!realFloating(pair) || s.zero.candidate <= s.zero.reference) return {};
    const double normal = smallestNormal(pair.candidate.dtype);
    if (!(s.minMagnitude < normal)) return {};
    const double unit = unitRoundoff(pair);
    std::int64_t flushed = 0, larger = 0, others = 0;
    double largest = 0;
    eachRun(pair, [&](std::int64_t, auto r, auto c) {
        for (std::size_t i = 0; i < r.size(); ++i) {
            if (c[i] == 0 && r[i] != 0) {
                ++flushed;
                larger += std::fabs(r[i]) >= normal;
                largest = std::fmax(largest, std::fabs(r[i]));
            } else {
                others += !(std::fabs(c[i] - r[i]) <= 8 * unit * std::fabs(r[i]) + normal * unit ||
                            (std::isnan(r[i]) && std::isnan(c[i])) || c[i] == r[i]);
            }
        }
        return larger == 0;
    });
    if (flushed == 0 || larger > 0) return {};
    return Finding{
        "flush-to-zero",
        others ? FindingClass::note : FindingClass::drift,
        fmt::format("{} value{} below the smallest normal number of {} ({:.3g}) became zero; the largest "
                    "of them is {:.3g} in the reference.",
                    flushed, flushed == 1 ? "" : "s", name(pair.candidate.dtype), normal, largest),
        {{"flushed", flushed}, {"largest", largest}, {"smallest_normal", normal}}};
}

} // namespace divdet::findings
