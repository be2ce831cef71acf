#include "session/result/check.h"

#include <cmath>
#include <initializer_list>

#include "judge/metric/task_metric.h"

namespace divdet::result {
namespace {

/// Counts of elements: none is negative or above the number of elements.
bool countsFit(const Summary& s) {
    const auto fit = [&](std::initializer_list<std::int64_t> counts) {
        for (auto n : counts)
            if (n < 0 || n > s.elements) return false;
        return true;
    };
    for (const auto* c : {&s.nan, &s.inf, &s.zero, &s.subnormal})
        if (!fit({c->reference, c->candidate, c->both})) return false;
    std::int64_t inBins = 0;
    for (int row = 0; row < ErrorHistogram::kRows && !s.histogram.empty(); ++row)
        for (int column = 0; column < ErrorHistogram::kColumns; ++column) {
            const auto n = s.histogram.count(column, row);
            if (n < 0 || n > s.elements - inBins) return false;
            inBins += n;
        }
    for (auto n : s.ulpHistogram)
        if (!fit({n})) return false;
    return fit({s.equal, s.finite, s.infiniteRel, s.above, s.below, s.signedZero, s.never, s.overflowedError,
                s.finiteReference, s.at.mismatches});
}

bool indicesFit(const Summary& s, std::int64_t all) {
    for (auto i : {s.maxAbs.index, s.maxRel.index, s.at.firstMismatch, s.at.worst.index})
        if (i < -1 || i >= all) return false;
    return true;
}

bool tilesFit(const TileMap& t, std::int64_t elements) {
    const auto cells =
        static_cast<std::size_t>(std::max(0, t.rows)) * static_cast<std::size_t>(std::max(0, t.columns));
    if (t.rows < 0 || t.rows > 512 || t.columns < 0 || t.columns > 512) return false;
    if (t.rowsPerTile < 1 || t.columnsPerTile < 1) return false;
    if (t.rowsPerTile > std::max<std::int64_t>(elements, 1) ||
        t.columnsPerTile > std::max<std::int64_t>(elements, 1))
        return false;
    return t.maxAbs.size() == t.rms.size() && (t.maxAbs.size() == cells || t.maxAbs.empty());
}

bool needsFit(const Summary& s) {
    for (double x : s.neededLinked)
        if (std::isnan(x) || x < 0) return false;
    return s.maxMagnitude >= 0 && s.minMagnitude > 0 && validate(s.at.tolerance).ok();
}

/// What rules without a frontier answered.
bool rulesFit(const TapPair& p, std::int64_t all) {
    const auto inside = [&](std::int64_t i) { return i >= -1 && i < all; };
    if (p.own && !validate(*p.own)) return false;
    if (p.ruled && !(validate(p.ruled->tolerance) && p.ruled->elements >= 0 && p.ruled->elements <= all &&
                     p.ruled->mismatches >= 0 && p.ruled->mismatches <= p.ruled->elements &&
                     inside(p.ruled->firstMismatch) && inside(p.ruled->worst.index)))
        return false;
    if (!p.peers) return true;
    for (const auto& d : p.peers->disagreeing)
        if (!inside(d.index)) return false;
    return validate(p.peers->tolerance).ok();
}

/// Counts of tokens and places among them; what is shown of a metric leans on them.
bool metricFits(const TaskMetric& m) {
    const auto places = elementCount(m.leading);
    if (!places || m.tokens < 1 || m.tokens > *places || m.vocabulary < 2) return false;
    for (auto n : {m.agreed, m.cannotFlip, m.tiedReference, m.tiedCandidate, m.undefinedReference,
                   m.undefinedCandidate})
        if (n < 0 || n > m.tokens) return false;
    if (m.klLargestToken < -1 || m.klLargestToken >= *places) return false;
    const auto isWord = [&](std::int64_t w) { return w >= -1 && w < m.vocabulary; };
    if (m.firstFlip && !(m.firstFlip->token >= 0 && m.firstFlip->token < *places &&
                         isWord(m.firstFlip->reference) && isWord(m.firstFlip->candidate)))
        return false;
    if (!m.scored) return true;
    const TargetScore& s = *m.scored;
    for (auto n : {s.rightReference, s.rightCandidate, s.won, s.lost})
        if (n < 0 || n > s.tokens) return false;
    return s.tokens >= 1 && s.tokens <= m.tokens && s.won + s.lost <= s.tokens &&
           s.rightCandidate - s.rightReference == s.won - s.lost;
}

std::optional<std::string> contradiction(const TapPair& p) {
    for (const Shape* shape : {&p.referenceShape, &p.candidateShape})
        for (auto extent : *shape)
            if (extent < 0) return "a shape with a negative extent";
    if (!p.summary) return std::nullopt;
    const Summary& s = *p.summary;
    const auto all = elementCount(p.referenceShape); // a mask leaves some of them out
    if (!all || s.elements < 0 || s.elements > *all) return "more elements than its shape";
    if (!countsFit(s)) return "a count beyond the number of elements";
    if (!indicesFit(s, *all)) return "an index beyond the number of elements";
    if (!tilesFit(s.tiles, *all)) return "a tile map of another size";
    if (!needsFit(s)) return "a tolerance that is none";
    if (!rulesFit(p, *all)) return "an answer of a rule that cannot be";
    return std::nullopt;
}

} // namespace

std::optional<std::string> contradiction(const CompareResult& r) {
    if (!r.comparison) return "no comparison";
    if (!validate(r.tolerance)) return "a tolerance that is none";
    if (r.request.tolerance && !validate(*r.request.tolerance)) return "a tolerance that is none";
    if (!validate(r.request.overrides.over({}))) return "a tolerance that is none";
    for (std::size_t i = 0; i < r.comparison->pairs.size(); ++i)
        if (auto what = contradiction(r.comparison->pairs[i]))
            return "pair " + std::to_string(i + 1) + " has " + *what;
    if (r.metric && !metricFits(*r.metric)) return "a task metric that cannot be";
    if (const auto first = r.comparison->firstBad; first && *first >= r.comparison->pairs.size())
        return "a first bad pair that is none";
    return std::nullopt;
}

} // namespace divdet::result
