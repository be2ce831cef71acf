#include "compare/comparison.h"

#include "compare/rules/evaluate.h"

#include <algorithm>
#include <limits>

namespace divdet {
namespace {

/// Elements below which a statistic says little; named in the caution few-elements.
constexpr std::int64_t kFewElements = 16;

/// Under allclose and either, from the frontier or the counts of the scan.
void judgeByFrontier(const Summary& s, const Tolerance& t, TapVerdict& out) {
    const PairVerdict v = judge(s, t);
    out.verdict = v.verdict;
    out.needsRescan = v.needsRescan;
    const std::int64_t never = s.neverPass(t.equalNan);
    if (s.at.tolerance == t) {
        out.mismatches = {s.at.mismatches, s.at.mismatches};
    } else if (v.verdict == Verdict::within || (v.verdict == Verdict::inconclusive && !v.allNan)) {
        out.mismatches = {0, 0};
    } else {
        out.mismatches = s.histogram.mismatches(t);
        out.mismatches.low += never;
        out.mismatches.high += never;
        // The frontier knows that something fails even where whole bins cannot tell.
        if (v.verdict == Verdict::outside && !v.needsRescan)
            out.mismatches.low = std::max<std::int64_t>(out.mismatches.low, 1);
    }
    if (v.vacuous) out.cautions.emplace_back("vacuous-tolerance");
    if (v.allNan) out.cautions.emplace_back("all-nan");
}

/// Under a rule without a frontier, from its own answer; without one only a scan can tell.
void judgeByRule(const TapPair& pair, const Tolerance& t, TapVerdict& out) {
    const Summary& s = *pair.summary;
    if (auto takes = checkRuleTakes(t.rule, pair.referenceDType, pair.candidateDType); !takes) {
        out.verdict = Verdict::incomparable;
        out.refused = takes.error();
        return;
    }
    if (s.elements > 0 && s.nan.both == s.elements) {
        out.verdict = Verdict::inconclusive;
        out.cautions.emplace_back("all-nan");
        out.mismatches = {0, s.elements};
        return;
    }
    if (!pair.ruled || pair.ruled->tolerance != t) {
        out.verdict = Verdict::outside;
        out.needsRescan = true;
        out.mismatches = {0, s.elements};
        return;
    }
    const RuleOutcome& r = *pair.ruled;
    out.statistic = r.statistic;
    out.verdict = r.passes ? Verdict::within : Verdict::outside;
    const std::int64_t failing = info(t.rule).wholeTensor && !r.passes ? s.elements : r.mismatches;
    out.mismatches = {failing, failing};
    if (r.zerosPass && s.equal != s.elements && s.maxMagnitude > 0) {
        out.cautions.emplace_back("vacuous-tolerance");
        if (r.passes) out.verdict = Verdict::inconclusive;
    }
}

/// A share of failing elements may be allowed. Rules over the whole tensor have no such elements.
void allowFraction(const Summary& s, const Tolerance& t, TapVerdict& out) {
    const double allowed = t.options.maxMismatchFraction * static_cast<double>(s.elements);
    if (!(allowed > 0) || info(t.rule).wholeTensor || out.verdict != Verdict::outside) return;
    if (static_cast<double>(out.mismatches.high) <= allowed)
        out.verdict = Verdict::within;
    else if (static_cast<double>(out.mismatches.low) <= allowed)
        out.needsRescan = true;
}

TapVerdict judgePair(const TapPair& pair, const Tolerance& common) {
    TapVerdict out;
    out.cautions = pair.cautions;
    const Tolerance& t = pair.own ? *pair.own : common;
    out.tolerance = t;
    if (!pair.summary) {
        out.verdict = pair.structural;
        return out;
    }
    const Summary& s = *pair.summary;
    if (hasFrontier(t.rule))
        judgeByFrontier(s, t, out);
    else
        judgeByRule(pair, t, out);
    out.over = out.mismatches.high > 0 && out.verdict != Verdict::within && !out.refused;
    allowFraction(s, t, out);
    for (const auto& run : pair.runs)
        if (run && hasFrontier(t.rule) && out.verdict == Verdict::within)
            out.verdict = worse(out.verdict, judge(*run, t).verdict);
    if (pair.peers && pair.peers->tolerance == t && !pair.peers->disagreeing.empty())
        out.cautions.emplace_back("rules-disagree");
    if (s.elements == 0)
        out.cautions.emplace_back("empty");
    else if (s.elements < kFewElements)
        out.cautions.emplace_back("few-elements");
    // There max rel says nothing: it is infinite, or the reference has lost its own digits.
    if (s.infiniteRel > 0 || (s.subnormal.reference > 0 && s.equal < s.finite))
        out.cautions.emplace_back("near-zero-reference");
    if (s.signedZero > 0) out.cautions.emplace_back("signed-zero");
    return out;
}

void count(Judgement& j, Verdict v) {
    switch (v) {
    case Verdict::within:
        ++j.within;
        break;
    case Verdict::outside:
        ++j.outside;
        break;
    case Verdict::inconclusive:
        ++j.inconclusive;
        break;
    case Verdict::incomparable:
        ++j.incomparable;
        break;
    case Verdict::unreadable:
        ++j.unreadable;
        break;
    case Verdict::incomplete:
        break;
    }
}

/// The largest need of the judged pairs, in the unit `need` answers in.
template <class F>
double largest(const Comparison& comparison, const Tolerance& t, F&& need) {
    double out = 0;
    for (const auto& pair : comparison.pairs) {
        if (!pair.judged || !pair.summary) continue;
        out = std::max(out, pair.summary->neverPass(t.equalNan) ? std::numeric_limits<double>::infinity()
                                                                : need(*pair.summary));
    }
    return out;
}

} // namespace

Judgement judge(const Comparison& comparison, const Tolerance& tolerance) {
    Judgement out;
    out.tolerance = tolerance;
    double worstNeed = -1;
    bool anyJudged = false;
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
        const TapPair& pair = comparison.pairs[i];
        out.taps.push_back(judgePair(pair, tolerance));
        if (!pair.judged) continue;
        anyJudged = true;
        const Verdict v = out.taps.back().verdict;
        count(out, v);
        out.verdict = worse(out.verdict, v);
        if (!pair.summary) continue;
        if (const double need = pair.summary->neededRtolLinked(tolerance); need > worstNeed) {
            worstNeed = need;
            out.worstTap = static_cast<int>(i);
        }
    }
    if (comparison.missingJudged || comparison.partial) out.verdict = worse(out.verdict, Verdict::incomplete);
    if (!anyJudged) out.verdict = worse(out.verdict, Verdict::inconclusive); // nothing was tested
    return out;
}

std::optional<PairClass> overallClass(const Comparison& comparison) {
    std::optional<PairClass> out;
    for (const auto& pair : comparison.pairs)
        if (pair.judged && pair.pairClass) out = out ? std::max(*out, *pair.pairClass) : *pair.pairClass;
    // What a judged pair inherited is as bad as where it comes from, which may be a traced tap.
    if (out == PairClass::inherited && comparison.firstBad && *comparison.firstBad < comparison.pairs.size())
        out = std::max(*out, comparison.pairs[*comparison.firstBad].pairClass.value_or(*out));
    return out;
}

double neededRtolLinked(const Comparison& comparison, const Tolerance& t) {
    return largest(comparison, t, [&](const Summary& s) {
        return s.neededLinked[static_cast<std::size_t>(frontierRule(t.rule))];
    });
}

double neededRtol(const Comparison& comparison, const Tolerance& t) {
    return largest(comparison, t, [&](const Summary& s) { return s.frontier.neededRtol(t.rule, t.atol); });
}

double neededAtol(const Comparison& comparison, const Tolerance& t) {
    return largest(comparison, t, [&](const Summary& s) { return s.frontier.neededAtol(t.rule, t.rtol); });
}

} // namespace divdet
