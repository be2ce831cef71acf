#include "judge/metric/message.h"

#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "judge/metric/share_text.h"

namespace divdet {
namespace {

constexpr double kBeyondChance = 3;       ///< standard errors
constexpr double kAccuracyPoints = 0.005; ///< smaller losses are no news, however sure
constexpr double kPerplexityShare = 0.02;

std::string flipsText(const TaskMetric& m) {
    return m.flips() == 1 ? "one guess changed" : countText(m.flips()) + " guesses changed";
}

std::optional<std::string> lossText(const TargetScore& s) {
    if (accuracyFell(s)) {
        const Estimate change = s.accuracyChange();
        return fmt::format("the task lost {} of accuracy",
                           pointsText({-change.value, change.error}, s.tokens));
    }
    if (perplexityRose(s))
        return fmt::format("perplexity rose from {} to {}", shortNumber(s.perplexityReference.value),
                           shortNumber(s.perplexityCandidate.value));
    return std::nullopt;
}

} // namespace

bool accuracyFell(const TargetScore& s) {
    const Estimate change = s.accuracyChange();
    return -change.value > kAccuracyPoints && -change.value > kBeyondChance * change.error;
}

bool perplexityRose(const TargetScore& s) {
    if (std::isnan(s.perplexityCandidate.value) || std::isinf(s.perplexityCandidate.value))
        return std::isfinite(s.perplexityReference.value);
    return s.perplexityChange.value > kPerplexityShare * s.perplexityReference.value &&
           s.perplexityChange.value > kBeyondChance * s.perplexityChange.error;
}

std::optional<std::string> metricMessage(const TaskMetric& m, Verdict verdict,
                                         const std::vector<LimitOutcome>& limits) {
    if (verdict == Verdict::outside && m.flips() == 0 && !anyMissed(limits))
        return fmt::format("Outside the tolerance, but not one of the {} guesses changed: the tolerance asks "
                           "for more than this task needs here.",
                           countText(m.tokens));
    if (verdict != Verdict::within) return std::nullopt;
    if (m.scored)
        if (const auto loss = lossText(*m.scored))
            return fmt::format(
                "Within the tolerance, but {}: the tolerance does not see what the task needs.", *loss);
    if (anyMissed(limits))
        return "Within the tolerance, but a limit of the task metric is missed: the tolerance is too loose "
               "for "
               "this limit.";
    if (!m.scored && m.flips() > 0)
        return fmt::format("Within the tolerance, but {} of {}; without targets it is open whether that is a "
                           "loss.",
                           flipsText(m), countText(m.tokens));
    return std::nullopt;
}

std::vector<std::string> metricCautions(const TaskMetric& m) {
    constexpr double kRoundoff = 0x1p-9; // of bf16
    bool close = m.tiedReference > 0;
    if (m.firstFlip) {
        const Flip& f = *m.firstFlip;
        close = close || f.top - f.other <= kRoundoff * (std::fabs(f.top) + std::fabs(f.other));
    }
    return close ? std::vector<std::string>{"argmax-tie"} : std::vector<std::string>{};
}

} // namespace divdet
