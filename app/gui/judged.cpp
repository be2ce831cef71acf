#include "gui/judged.h"

#include <algorithm>

namespace divdet {

bool isWaiting(const TapPair& pair) {
    return !pair.summary && !pair.problem && pair.structural == Verdict::within;
}

bool sameNumbers(const Comparison& a, const Comparison& b) {
    if (&a == &b) return true;
    const auto same = [](const TapPair& x, const TapPair& y) {
        return x.summary && x.summary == y.summary && x.judged == y.judged && x.own == y.own &&
               x.ruled == y.ruled && x.peers == y.peers && x.cautions == y.cautions;
    };
    return a.pairs.size() == b.pairs.size() && a.missingJudged == b.missingJudged && a.partial == b.partial &&
           std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), same);
}

void Judged::set(std::shared_ptr<const Comparison> comparison, const Tolerance& tolerance) {
    const bool keep = m_judgement && comparison && m_judgement->tolerance == tolerance &&
                      sameNumbers(*m_comparison, *comparison);
    m_comparison = std::move(comparison);
    if (keep) return;
    m_judgement.reset();
    rejudge(tolerance);
}

void Judged::rejudge(const Tolerance& tolerance) {
    if (m_comparison) m_judgement = std::make_shared<const Judgement>(judge(*m_comparison, tolerance));
}

std::vector<std::size_t> Judged::inexact() const {
    std::vector<std::size_t> pairs;
    if (!m_judgement) return pairs;
    for (std::size_t i = 0; i < m_judgement->taps.size(); ++i) {
        const TapVerdict& tap = m_judgement->taps[i];
        const bool open = tap.needsRescan || (tap.over && tap.mismatches.low != tap.mismatches.high);
        if (open && m_comparison->pairs[i].load) pairs.push_back(i);
    }
    std::stable_partition(pairs.begin(), pairs.end(),
                          [this](std::size_t i) { return m_comparison->pairs[i].judged; });
    return pairs;
}

std::vector<std::size_t> Judged::undecided() const {
    std::vector<std::size_t> pairs = inexact();
    std::erase_if(pairs, [this](std::size_t i) { return !m_judgement->taps[i].needsRescan; });
    return pairs;
}

bool Judged::takeExact(const std::shared_ptr<const Comparison>& comparison, std::size_t pair,
                       const AtTolerance& exact) {
    if (!comparison || !m_judgement || !sameNumbers(*comparison, *m_comparison) ||
        exact.tolerance != m_judgement->tolerance)
        return false;
    auto next = std::make_shared<Judgement>(*m_judgement);
    TapVerdict& tap = next->taps[pair];
    tap.mismatches.low = tap.mismatches.high = exact.mismatches;
    const bool decided = tap.needsRescan && exact.mismatches == 0;
    tap.needsRescan = false;
    if (decided) {
        tap.over = false;
        tap.verdict = Verdict::within;
        if (m_comparison->pairs[pair].judged) {
            --next->outside;
            ++next->within;
            // Nothing but a pair can make the whole outside, so without one the others decide.
            if (next->verdict == Verdict::outside && next->outside == 0) {
                next->verdict = Verdict::within;
                if (m_comparison->missingJudged || m_comparison->partial) next->verdict = Verdict::incomplete;
                for (std::size_t i = 0; i < next->taps.size(); ++i)
                    if (m_comparison->pairs[i].judged)
                        next->verdict = worse(next->verdict, next->taps[i].verdict);
            }
        }
    }
    m_judgement = std::move(next);
    return true;
}

std::size_t Judged::waiting() const {
    if (!m_comparison) return 0;
    return static_cast<std::size_t>(
        std::count_if(m_comparison->pairs.begin(), m_comparison->pairs.end(), isWaiting));
}

} // namespace divdet
