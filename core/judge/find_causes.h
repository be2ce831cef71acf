#pragma once
#include <vector>

#include "judge/pair_evidence.h"

namespace divdet {

/// Every finding of judge/findings.def that holds for the pair, in the order of that table.
std::vector<Finding> findCauses(const PairEvidence& pair);

/// identical: every byte is the same. bug: a finding says so. drift: every element has the same value, or a
/// finding explains the difference as drift. Else unclear.
PairClass classify(const Summary& summary, const std::vector<Finding>& findings);

} // namespace divdet
