#pragma once
#include "compare/rules/outcome.h"

#include "base/progress.h"

namespace divdet {

/// The answer of any rule at any tolerance, from one or a few passes over the elements. The same bits for any
/// number of threads; memory does not grow with the tensor, except that a rule over the whole tensor with a
/// mask works on a copy of the chosen elements.
/// Errors: mismatch for shapes that differ and for dtypes that the rule's tool does not take; usage for a
/// tolerance it refuses; cancelled.
Result<RuleOutcome> evaluateRule(const RuleInput& input, const Tolerance& tolerance,
                                 const Progress& progress = {});

/// May the rule judge a pair of these types at all? The error says what its tool would say.
Status checkRuleTakes(Rule rule, DType reference, DType candidate);

} // namespace divdet
