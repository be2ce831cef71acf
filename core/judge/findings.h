#pragma once
#include "judge/pair_evidence.h"

/// Pure functions of a pair; each is defined in its own file under judge/findings.
namespace divdet::findings {

#define DIVDET_FINDING(function) std::optional<Finding> function(const PairEvidence& pair);
#include "judge/findings.def"
#undef DIVDET_FINDING

} // namespace divdet::findings
