#pragma once
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "judge/pair_evidence.h"

namespace divdet {

/// Every finding of judge/findings.def that holds for the pair: bugs first, then what is unclear, drift and
/// notes; in the order of that table among equals.
std::vector<Finding> findCauses(const PairEvidence& pair);

/// identical: every byte is the same. bug, else unclear: a finding says so. drift: every element has the same
/// value, or a finding explains the difference as drift. Else unclear.
PairClass classify(const Summary& summary, const std::vector<Finding>& findings);

/// All that is said of a pair.
struct PairCauses {
    std::vector<Finding> findings;
    PairClass pairClass = PairClass::unclear;
    std::vector<std::string> cautions;
};

/// Findings and class. Where the context names a token axis and the largest score of a step flips between two
/// that lie closer than the noise, only the steps up to that one are judged: later ones had other inputs.
PairCauses judgePair(const PairEvidence& pair);

/// Enters them: findings and class in place of what the pair had, cautions beside those it has.
void addCauses(TapPair& pair, PairCauses causes);

} // namespace divdet
