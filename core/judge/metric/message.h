#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compare/verdict.h"
#include "judge/metric/limits.h"

namespace divdet {

/// Whether right guesses were lost beyond chance: more than three standard errors, and more than half a
/// point.
bool accuracyFell(const TargetScore& scored);
/// Whether perplexity rose beyond chance: more than three standard errors, and more than two per cent.
bool perplexityRose(const TargetScore& scored);

/// One sentence where tolerance and metric disagree: within, but the task lost something (a limit, accuracy,
/// perplexity; without targets: guesses changed), or outside, though no guess changed. None: they agree.
std::optional<std::string> metricMessage(const TaskMetric& metric, Verdict verdict,
                                         const std::vector<LimitOutcome>& limits);

/// `argmax-tie` where the largest logit is tied in the reference, or where rounding the two logits of the
/// first flip to bf16 could already swap them; else empty.
std::vector<std::string> metricCautions(const TaskMetric& metric);

} // namespace divdet
