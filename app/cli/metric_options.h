#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "judge/metric/answer.h"
#include "judge/metric/metric_request.h"

namespace divdet::cli {

/// The task metric beside the verdict, as typed; shared by compare and run.
struct MetricOptions {
    std::string logits, targets;
    std::string minTop1, minAccuracy, maxKl, maxPplDelta;
    std::string command, commandMin, timeout;

    /// Errors: usage. Also checks what runCommand needs, before any work.
    Status apply(MetricRequest& request) const;

    /// Runs the user's own evaluation, if there is one, and adds its score and its limit. Ctrl+C ends it with
    /// all it started. `environment` is what it is told beside its own.
    Status runCommand(MetricAnswer& answer,
                      std::vector<std::pair<std::string, std::string>> environment) const;
};

void addMetric(CLI::App& verb, MetricOptions& options);

} // namespace divdet::cli
