#include "judge/metric/limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"

namespace divdet {

std::string LimitOutcome::text() const {
    std::string out = fmt::format("{} {} {} {} {}", what, shortNumber(value.value),
                                  missed ? "misses" : "keeps", option, limit);
    if (missed && std::isfinite(value.value)) out += " by " + shortNumber(missedBy());
    if (std::isnan(value.error)) return out;
    out += " (standard error " + shortNumber(value.error);
    if (missed && value.error > 0)
        out += fmt::format(", {:.1f} of them{}", missedBy() / value.error,
                           missedBy() < 2 * value.error ? ": within the scatter" : "");
    return out + ")";
}

LimitOutcome outcomeOf(std::string option, std::string what, bool lower, double limit,
                       const Estimate& value) {
    LimitOutcome out{std::move(option), std::move(what), lower, limit, value, false};
    out.missed = !(lower ? value.value >= limit : value.value <= limit);
    return out;
}

std::vector<LimitOutcome> checkLimits(const TaskMetric& m, const MetricLimits& limits) {
    std::vector<LimitOutcome> out;
    const TargetScore none, &scored = m.scored ? *m.scored : none;
    if (limits.minTop1)
        out.push_back(outcomeOf("--min-top1", "top-1 agreement", true, *limits.minTop1, m.agreement()));
    if (limits.minAccuracy)
        out.push_back(
            outcomeOf("--min-accuracy", "accuracy", true, *limits.minAccuracy, scored.accuracyCandidate()));
    if (limits.maxKl) out.push_back(outcomeOf("--max-kl", "KL", false, *limits.maxKl, m.kl));
    if (limits.maxPplDelta)
        out.push_back(outcomeOf("--max-ppl-delta", "the change of perplexity", false, *limits.maxPplDelta,
                                scored.perplexityChange));
    return out;
}

bool anyMissed(const std::vector<LimitOutcome>& outcomes) {
    return std::any_of(outcomes.begin(), outcomes.end(), [](const auto& o) { return o.missed; });
}

} // namespace divdet
