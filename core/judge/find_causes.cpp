#include "judge/find_causes.h"

#include <algorithm>

#include "judge/findings.h"

namespace divdet {

std::vector<Finding> findCauses(const PairEvidence& pair) {
    std::vector<Finding> out;
    const auto add = [&](std::optional<Finding> f) {
        if (f) out.push_back(std::move(*f));
    };
#define DIVDET_FINDING(function) add(findings::function(pair));
#include "judge/findings.def"
#undef DIVDET_FINDING
    return out;
}

PairClass classify(const Summary& s, const std::vector<Finding>& findings) {
    if (s.bitIdentical) return PairClass::identical;
    const auto has = [&](FindingClass k) {
        return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == k; });
    };
    if (has(FindingClass::bug)) return PairClass::bug;
    if (has(FindingClass::drift) || s.equal + s.nan.both == s.elements) return PairClass::drift;
    return PairClass::unclear;
}

} // namespace divdet
