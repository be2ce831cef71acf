#pragma once
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.h"
#include "judge/context.h"

namespace divdet {

/// Findings that need more than one tap, added to pairs that are judged already: stale-match (a tap holds
/// another tap), different-inputs (a tap with the role `input` differs, or tokens that a tie flipped). Loads
/// again only pairs of equal shape of which one is far off.
void judgeAcross(Comparison& comparison,
                 const std::vector<std::pair<std::string, std::vector<std::string>>>& roles,
                 const OperatorContext& op);

} // namespace divdet
