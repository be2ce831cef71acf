#include "judge/findings.h"

namespace divdet::findings {

/// Every byte is the same: NaN payloads and signs of zeros too.
std::optional<Finding> identical(const PairEvidence& pair) {
    if (!pair.summary.bitIdentical) return {};
    return Finding{"identical",
                   FindingClass::note,
                   "The candidate is bit for bit the reference.",
                   {{"elements", pair.summary.elements}}};
}

} // namespace divdet::findings
