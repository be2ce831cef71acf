#include "judge/find_causes.h"

#include <algorithm>

#include "judge/findings.h"
#include "judge/smooth_error.h"
#include "judge/token_flip.h"

namespace divdet {

std::vector<Finding> findCauses(const PairEvidence& pair) {
    std::vector<Finding> out;
    const auto add = [&](std::optional<Finding> f) {
        if (f) out.push_back(std::move(*f));
    };
#define DIVDET_FINDING(function) add(findings::function(pair));
#include "judge/findings.def"
#undef DIVDET_FINDING
    // Beside a bug the rest of the error may well be rounding, but "this is rounding" would be said of all of
    // it.
    if (std::any_of(out.begin(), out.end(), [](const Finding& f) { return f.kind == FindingClass::bug; }))
        std::erase_if(out, [](const Finding& f) {
            return f.kind == FindingClass::drift && (f.id == "rounding-noise" || f.id == "cancellation");
        });
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.kind > b.kind; });
    return out;
}

PairClass classify(const Summary& s, const std::vector<Finding>& findings) {
    const auto has = [&](FindingClass k) {
        return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == k; });
    };
    if (has(FindingClass::bug)) return PairClass::bug; // of further runs, where this one is right
    if (s.bitIdentical) return PairClass::identical;
    if (has(FindingClass::unclear)) return PairClass::unclear;
    if (has(FindingClass::drift) || s.equal + s.nan.both == s.elements) return PairClass::drift;
    return PairClass::unclear;
}

PairCauses judgePair(const PairEvidence& pair) {
    if (auto flipped = judgeUpToFlip(pair)) return std::move(*flipped);
    PairCauses out;
    out.findings = findCauses(pair);
    out.pairClass = classify(pair.summary, out.findings);
    for (const Finding& f : out.findings)
        if (f.id == "channel-gain" && std::any_of(f.evidence.begin(), f.evidence.end(),
                                                  [](const auto& e) { return e.first == "separable"; }))
            out.cautions.emplace_back("separable-gain");
    if (out.pairClass >= PairClass::unclear && smoothInInput(pair))
        out.cautions.emplace_back("function-of-input");
    return out;
}

void addCauses(TapPair& pair, PairCauses causes) {
    pair.findings = std::move(causes.findings);
    pair.pairClass = causes.pairClass;
    for (auto& c : causes.cautions)
        if (std::find(pair.cautions.begin(), pair.cautions.end(), c) == pair.cautions.end())
            pair.cautions.push_back(std::move(c));
}

} // namespace divdet
