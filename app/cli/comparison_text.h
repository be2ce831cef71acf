#pragma once
#include <string>

#include "cli/terminal.h"
#include "compare/comparison.h"
#include "judge/metric/answer.h"

namespace divdet::cli {

/// The table of taps, the verdict line with what it needs, and what else must be said. `top`: at most so many
/// rows, the judged ones that need most first; 0: all.
std::string comparisonText(const Comparison& comparison, const Judgement& judgement, const Paint& paint,
                           int top);

/// `WITHIN  all 32,768 elements of out pass at rtol 1e-2, atol 1e-3.`
std::string verdictLine(const Comparison& comparison, const Judgement& judgement, const Paint& paint);

/// The task metric: a sentence a line; empty when there is none.
std::string metricText(const MetricAnswer& answer, const Judgement& judgement, const Paint& paint);

} // namespace divdet::cli
