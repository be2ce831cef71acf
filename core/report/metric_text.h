#pragma once
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "judge/metric/answer.h"
#include "report/report.h"

namespace divdet::report {

/// The loosest tolerances at which nothing flips, in one sentence.
std::string safeSentence(const TaskMetric& metric);

/// Guesses, accuracy, perplexity and KL in one line: what fits below a verdict.
std::string metricLine(const TaskMetric& metric);

/// All of it, a sentence each: the line above, headroom, the first flip, the loosest tolerances, what is
/// undefined, the user's own evaluation, limits, and where tolerance and metric disagree. Unescaped.
std::vector<std::string> metricSentences(const MetricAnswer& answer, const Judgement& judgement);

/// The subject's tables, that of its task metric first where it has one.
std::vector<ReportTable> tablesOf(const ReportSubject& subject);

} // namespace divdet::report
