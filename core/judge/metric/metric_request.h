#pragma once
#include <optional>
#include <string>

namespace divdet {

/// Limits of the task metric, as on the command line.
struct MetricLimits {
    std::optional<double> minTop1;     ///< share of tokens whose guess is the reference's
    std::optional<double> minAccuracy; ///< of the candidate
    std::optional<double> maxKl;       ///< mean, nats per token
    std::optional<double> maxPplDelta; ///< perplexity of the candidate minus that of the reference

    bool any() const { return minTop1 || minAccuracy || maxKl || maxPplDelta; }
    bool needTargets() const { return minAccuracy || maxPplDelta; }

    friend bool operator==(const MetricLimits&, const MetricLimits&) = default;
};

/// Which taps are logits and targets, and what is asked of them.
struct MetricRequest {
    std::string logits, targets; ///< names of taps; empty: found by name where there are any
    MetricLimits limits;

    friend bool operator==(const MetricRequest&, const MetricRequest&) = default;
};

} // namespace divdet
