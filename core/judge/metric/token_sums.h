#pragma once
#include "judge/metric/task_metric.h"
#include "judge/metric/token_facts.h"

namespace divdet {

/// Facts of tokens added up, in order; parts of neighbouring ranges merge in order.
class TokenSums {
public:
    /// `safe` and `needed` are of this token; `needed` counts only where it flipped.
    void add(std::int64_t token, const TokenFacts& facts, bool hasTarget, std::int64_t target,
             const ToleranceBound& safe, const std::optional<ToleranceBound>& needed);
    /// The first of the flips, whose logits the caller has at hand.
    bool firstFlipOpen() const { return !m_sum.firstFlip; }
    void setFirstFlip(const Flip& flip) { m_sum.firstFlip = flip; }
    void merge(const TokenSums& later);
    /// Everything but names, shape and notes.
    TaskMetric finish() const;

private:
    TaskMetric m_sum; ///< its counts; estimates are made at the end
    TargetScore m_scored;
    Moments m_kl, m_reference, m_candidate, m_change;
};

} // namespace divdet
