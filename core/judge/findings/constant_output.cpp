#include <cmath>

#include <fmt/format.h>

#include "compare/ulp.h"
#include "judge/findings.h"

namespace divdet::findings {
namespace {

/// Fewer equal values can be chance.
constexpr std::int64_t kFewest = 8;

} // namespace

/// One value everywhere, where the reference varies by more than rounding explains.
std::optional<Finding> constantOutput(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (s.elements < kFewest || s.equal == s.elements || (s.maxUlp && *s.maxUlp <= 1)) return {};
    if (kind(pair.reference.dtype) == DTypeKind::complex || kind(pair.candidate.dtype) == DTypeKind::complex)
        return {};
    // Values too small for the candidate's type become zero honestly.
    if (s.maxMagnitude < smallestNormal(pair.candidate.dtype)) return {};
    double value = 0, low = 0, high = 0;
    bool begun = false, constant = true;
    eachRun(pair, [&](std::int64_t, auto r, auto c) {
        for (std::size_t i = 0; i < r.size() && constant; ++i) {
            if (!begun) {
                value = c[i];
                low = high = r[i];
                begun = true;
            }
            constant = c[i] == value; // NaN is no value
            low = std::fmin(low, r[i]);
            high = std::fmax(high, r[i]);
        }
        return constant;
    });
    if (!constant || !(low < high)) return {};
    return Finding{
        "constant-output",
        FindingClass::bug,
        fmt::format("Every element of the candidate is {:g}, while the reference runs from {:g} to "
                    "{:g}: the output does not depend on the input.",
                    value, low, high),
        {{"value", value}, {"reference_min", low}, {"reference_max", high}}};
}

} // namespace divdet::findings
