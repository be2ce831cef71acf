#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/metric/limits.h"

namespace divdet {

/// What the user's own evaluation said (`--metric-cmd`).
struct CommandScore {
    std::string command;
    std::int64_t samples = 0;
    Estimate mean;
};

/// All that stands beside a verdict: the task metric, the user's own, and what the limits say of both.
struct MetricAnswer {
    std::shared_ptr<const TaskMetric> task; ///< null: there are no logits
    std::optional<CommandScore> command;
    std::vector<LimitOutcome> limits;

    bool missed() const { return anyMissed(limits); }
    bool empty() const { return !task && !command; }
};

} // namespace divdet
