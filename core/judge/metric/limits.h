#pragma once
#include <string>
#include <vector>

#include "judge/metric/metric_request.h"
#include "judge/metric/task_metric.h"

namespace divdet {

/// What a limit says of a value.
struct LimitOutcome {
    std::string option;  ///< `--min-top1`
    std::string what;    ///< `top-1 agreement`
    bool lower = true;   ///< a lower bound
    double limit = 0;    ///< the bound
    Estimate value;      ///< what was measured
    bool missed = false; ///< NaN misses every limit

    double missedBy() const { return lower ? limit - value.value : value.value - limit; }
    /// `top-1 agreement 0.957 misses --min-top1 0.99 by 0.0327 (standard error 4.46e-3, 7.3 of them)`
    std::string text() const;
};

LimitOutcome outcomeOf(std::string option, std::string what, bool lower, double limit, const Estimate& value);

/// Every limit that is set, in the order of the struct. One that needs targets is missed without them.
std::vector<LimitOutcome> checkLimits(const TaskMetric& metric, const MetricLimits& limits);

bool anyMissed(const std::vector<LimitOutcome>& outcomes);

} // namespace divdet
