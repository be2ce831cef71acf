#pragma once
#include "compare/rules/rule_block.h"

namespace divdet::rules {

/// The rule of `tolerance`, per element. Precondition: it is one that decides per element. Errors as in
/// evaluateRule().
Result<BlockRule> elementRule(const RuleInput& input, const Tolerance& tolerance);

/// Flat index of the first element that fails; -1: none does.
Result<std::int64_t> firstMismatch(const RuleInput& input, const Tolerance& tolerance,
                                   const Progress& progress);

} // namespace divdet::rules
