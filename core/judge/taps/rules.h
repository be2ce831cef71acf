#pragma once
#include <vector>

#include "judge/taps/tap_finding.h"

/// Pure functions of the chain; each is defined in its own file under judge/taps/rules.
namespace divdet::tap_rules {

#define DIVDET_TAP_RULE(function) void function(const Chain& chain, std::vector<TapFinding>& out);
#include "judge/taps/rules.def"
#undef DIVDET_TAP_RULE

/// An error of this many times what may be expected is a step of its own. Tuned on honest runs, whose largest
/// was 0.64 of it (judge_measured.md §2).
inline constexpr double kJump = 7;

} // namespace divdet::tap_rules
