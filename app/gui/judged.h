#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "compare/comparison.h"

namespace divdet {

/// A comparison with its verdicts at one tolerance. Counts are bounds from the histogram until an exact count
/// of that very tolerance is given.
class Judged {
public:
    /// Judges at once. A null comparison empties it. Where only classes and findings came to the same numbers
    /// the verdicts stay, exact counts with them.
    void set(std::shared_ptr<const Comparison> comparison, const Tolerance& tolerance);
    /// From frontiers alone: no element is read.
    void rejudge(const Tolerance& tolerance);

    const std::shared_ptr<const Comparison>& comparison() const { return m_comparison; }
    /// Null while there is no comparison.
    const std::shared_ptr<const Judgement>& judgement() const { return m_judgement; }

    /// Pairs whose count is not exact at the current tolerance, judged ones first, and those that need a
    /// scan to be decided at all.
    std::vector<std::size_t> inexact() const;
    /// Those of them whose verdict waits for it.
    std::vector<std::size_t> undecided() const;
    /// Takes an exact count; ignored when it belongs to another comparison or tolerance. True if taken.
    bool takeExact(const std::shared_ptr<const Comparison>& comparison, std::size_t pair,
                   const AtTolerance& exact);

    /// Pairs neither compared nor refused yet: 0 once complete.
    std::size_t waiting() const;

private:
    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const Judgement> m_judgement;
};

/// Whether all that verdicts and counts are made of is the same in both; classes and findings may differ.
bool sameNumbers(const Comparison& a, const Comparison& b);

/// True for a pair that a partial snapshot has not reached.
bool isWaiting(const TapPair& pair);

} // namespace divdet
