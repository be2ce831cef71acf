#include "judge/metric/token_sums.h"

#include <cmath>

namespace divdet {
namespace {

/// exp of a mean cross-entropy; to first order its error is its value times that of the mean.
Estimate perplexity(const Estimate& crossEntropy) {
    const double value = std::exp(crossEntropy.value);
    return {value, value * crossEntropy.error};
}

/// The change of exp(mean) where both sides are of the same tokens, to first order: the variance of
/// c·x - r·y (c, r the perplexities) from those of x, y and x - y; written so that equal sides give 0.
Estimate perplexityChange(const Moments& reference, const Moments& candidate, const Moments& change) {
    const double r = std::exp(reference.estimate().value), c = std::exp(candidate.estimate().value);
    const double variance = (c - r) * (c * candidate.meanVariance() - r * reference.meanVariance()) +
                            c * r * change.meanVariance();
    return {c - r, std::sqrt(variance < 0 ? 0 : variance)}; // NaN stays NaN
}

} // namespace

void TokenSums::add(std::int64_t token, const TokenFacts& f, bool hasTarget, std::int64_t target,
                    const ToleranceBound& safe, const std::optional<ToleranceBound>& needed) {
    ++m_sum.tokens;
    m_sum.agreed += f.agrees();
    m_sum.cannotFlip += f.cannotFlip;
    m_sum.tiedReference += f.reference.tied;
    m_sum.tiedCandidate += f.candidate.tied;
    m_sum.undefinedReference += !f.reference.defined;
    m_sum.undefinedCandidate += !f.candidate.defined;
    m_sum.safe.takeSmaller(safe);
    if (needed) {
        if (!m_sum.observed) m_sum.observed = ToleranceBound{};
        m_sum.observed->takeSmaller(*needed);
    }
    m_kl.add(f.kl);
    if (f.kl > m_sum.klLargest || m_sum.klLargestToken < 0) {
        m_sum.klLargest = std::isnan(f.kl) ? 0 : f.kl;
        m_sum.klLargestToken = std::isnan(f.kl) ? -1 : token;
    }
    if (!hasTarget || target < 0) return;
    ++m_scored.tokens;
    const bool before = f.reference.guess == target, after = f.candidate.guess == target;
    m_scored.rightReference += before;
    m_scored.rightCandidate += after;
    m_scored.won += after && !before;
    m_scored.lost += before && !after;
    m_reference.add(f.reference.crossEntropy);
    m_candidate.add(f.candidate.crossEntropy);
    m_change.add(f.candidate.crossEntropy - f.reference.crossEntropy);
}

void TokenSums::merge(const TokenSums& o) {
    m_sum.tokens += o.m_sum.tokens;
    m_sum.agreed += o.m_sum.agreed;
    m_sum.cannotFlip += o.m_sum.cannotFlip;
    m_sum.tiedReference += o.m_sum.tiedReference;
    m_sum.tiedCandidate += o.m_sum.tiedCandidate;
    m_sum.undefinedReference += o.m_sum.undefinedReference;
    m_sum.undefinedCandidate += o.m_sum.undefinedCandidate;
    m_sum.safe.takeSmaller(o.m_sum.safe);
    if (o.m_sum.observed) {
        if (!m_sum.observed) m_sum.observed = ToleranceBound{};
        m_sum.observed->takeSmaller(*o.m_sum.observed);
    }
    if (o.m_sum.klLargestToken >= 0 && (m_sum.klLargestToken < 0 || o.m_sum.klLargest > m_sum.klLargest)) {
        m_sum.klLargest = o.m_sum.klLargest;
        m_sum.klLargestToken = o.m_sum.klLargestToken;
    }
    if (!m_sum.firstFlip) m_sum.firstFlip = o.m_sum.firstFlip;
    m_scored.tokens += o.m_scored.tokens;
    m_scored.rightReference += o.m_scored.rightReference;
    m_scored.rightCandidate += o.m_scored.rightCandidate;
    m_scored.won += o.m_scored.won;
    m_scored.lost += o.m_scored.lost;
    m_kl.merge(o.m_kl);
    m_reference.merge(o.m_reference);
    m_candidate.merge(o.m_candidate);
    m_change.merge(o.m_change);
}

TaskMetric TokenSums::finish() const {
    TaskMetric out = m_sum;
    out.kl = m_kl.estimate();
    if (m_scored.tokens == 0) return out;
    TargetScore s = m_scored;
    s.crossEntropyReference = m_reference.estimate();
    s.crossEntropyCandidate = m_candidate.estimate();
    s.crossEntropyChange = m_change.estimate();
    s.perplexityReference = perplexity(s.crossEntropyReference);
    s.perplexityCandidate = perplexity(s.crossEntropyCandidate);
    s.perplexityChange = perplexityChange(m_reference, m_candidate, m_change);
    if (!std::isfinite(s.perplexityChange.value)) s.perplexityChange.error = Estimate{}.error;
    out.scored = s;
    return out;
}

} // namespace divdet
