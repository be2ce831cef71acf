#include <cmath>

#include <fmt/format.h>

#include "compare/ulp.h"
#include "judge/findings.h"

namespace divdet::findings {
namespace {

/// Steps of the coarser dtype that a handful of roundings may move one element.
constexpr double kMostUlps = 4;
/// A mean error of this many standard errors, and above this share of an ulp of the signal, has a direction.
constexpr double kDirected = 6, kDirectedUlps = 0.05;

} // namespace

/// Every element is within a few ulps of the coarser dtype, with no preferred direction.
std::optional<Finding> roundingNoise(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!realFloating(pair) || s.bitIdentical || s.equal + s.nan.both == s.elements) return {};
    if (s.never > 0 || !s.maxUlp || *s.maxUlp > kMostUlps || !s.bias) return {};
    const double u = unitRoundoff(pair);
    if (std::fabs(*s.bias) > kDirected * s.biasError &&
        std::fabs(*s.bias) > kDirectedUlps * 2 * u * s.rmsReference)
        return {};
    const auto type = ulpDType(pair.reference.dtype, pair.candidate.dtype);
    const auto ulps = static_cast<std::int64_t>(*s.maxUlp);
    return Finding{
        "rounding-noise",
        FindingClass::drift,
        fmt::format("No element is further than {} ulp{} of {} from the reference, and the errors have "
                    "no preferred direction: this is rounding.",
                    ulps, ulps == 1 ? "" : "s", name(*type)),
        {{"max_ulp", ulps},
         {"dtype", std::string(name(*type))},
         {"rms_relative", s.rmsReference > 0 ? s.rms / s.rmsReference : 0.0}}};
}

} // namespace divdet::findings
