#include "session/hunt/bad_when.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "base/number_text.h"
#include "dump/text_encoding.h"
#include "session/hunt/finding_ids.h"

namespace divdet {
namespace {

using hunt::Answer;
using hunt::Outcome;
using Kind = BadWhen::Kind;

constexpr std::string_view kFinding = "finding:";

bool nonFinite(const Summary& s) {
    return s.nan.reference != s.nan.both || s.nan.candidate != s.nan.both || s.inf.reference != s.inf.both ||
           s.inf.candidate != s.inf.both;
}

/// Where traced taps decide as well, as they do of a class, their NaN counts too: quantisation behind it may
/// have made numbers of it again.
std::string failureOf(const Comparison& comparison, bool traced) {
    for (const TapPair& pair : comparison.pairs)
        if ((traced || pair.judged) && pair.summary && nonFinite(*pair.summary)) return "non-finite";
    return "accuracy";
}

std::string verdictText(const ComparedRun& run) {
    if (run.judgement.worstTap < 0) return std::string(toString(run.judgement.verdict));
    const TapPair& worst = run.comparison.pairs[static_cast<std::size_t>(run.judgement.worstTap)];
    return fmt::format("{}, {} is off by {} at most", toString(run.judgement.verdict), worst.name,
                       worst.summary ? shortNumber(worst.summary->maxAbs.value) : "?");
}

std::string classText(const Comparison& comparison) {
    for (const TapPair& pair : comparison.pairs) {
        if (pair.pairClass != PairClass::bug) continue;
        for (const Finding& f : pair.findings)
            if (f.kind == FindingClass::bug) return fmt::format("bug, {}: {}", pair.name, f.id);
        return fmt::format("bug, {}", pair.name);
    }
    const auto all = overallClass(comparison);
    return all ? std::string(toString(*all)) : "no class";
}

Outcome answered(bool bad, const ComparedRun& run, std::string text, bool traced = false) {
    if (!bad) return {Answer::good, "", std::move(text)};
    return {Answer::bad, failureOf(run.comparison, traced), std::move(text)};
}

bool cannotCompare(Verdict v) {
    return v == Verdict::incomplete || v == Verdict::incomparable || v == Verdict::unreadable;
}

} // namespace

Result<BadWhen> parseBadWhen(const std::string& text) {
    for (const Kind kind : {Kind::automatic, Kind::verdict, Kind::bug, Kind::metric, Kind::crash})
        if (const BadWhen bad{kind}; text == toString(bad)) return bad;
    if (!text.starts_with(kFinding))
        return Error{ErrorCode::usage, fmt::format("'{}' says not what makes a run bad", text), "--bad-when",
                     "give auto, verdict, bug, finding:ID, metric or crash"};
    const std::string id = text.substr(kFinding.size());
    if (id.empty())
        return Error{ErrorCode::usage, "which finding makes a run bad is missing", "--bad-when",
                     "write finding:stale-match"};
    const auto known = findingIds();
    if (std::find(known.begin(), known.end(), id) == known.end()) {
        const std::string near = nearestName(id, known);
        return Error{ErrorCode::usage, fmt::format("no finding is named {}", inQuotes(id)), "--bad-when",
                     near.empty() ? fmt::format("findings are {}", fmt::join(known, ", "))
                                  : fmt::format("did you mean finding:{}?", near)};
    }
    return BadWhen{Kind::finding, id};
}

std::string toString(const BadWhen& bad) {
    switch (bad.kind) {
    case Kind::automatic:
        return "auto";
    case Kind::verdict:
        return "verdict";
    case Kind::bug:
        return "bug";
    case Kind::finding:
        return std::string(kFinding) + bad.finding;
    case Kind::metric:
        return "metric";
    case Kind::crash:
        break;
    }
    return "crash";
}

Outcome outcomeOf(const ComparedRun& run, const BadWhen& bad) {
    if (cannotCompare(run.judgement.verdict))
        return {Answer::unresolved, "", std::string(toString(run.judgement.verdict))};
    switch (bad.kind) {
    case Kind::bug: {
        const auto all = overallClass(run.comparison);
        if (!all) return {Answer::unresolved, "", "the judge has no class for it"};
        return answered(all == PairClass::bug, run, classText(run.comparison), true);
    }
    case Kind::finding: {
        std::set<std::string> ids;
        for (const TapPair& pair : run.comparison.pairs)
            for (const Finding& f : pair.findings) {
                if (f.id == bad.finding)
                    return answered(true, run, fmt::format("{}: {}", pair.name, f.id), true);
                ids.insert(f.id);
            }
        return answered(false, run,
                        ids.empty() ? "no finding" : fmt::format("only {}", fmt::join(ids, ", ")));
    }
    case Kind::metric:
        return answered(run.metricMissed, run,
                        run.metricMissed ? "a limit of the metric is missed"
                                         : "the metric is within its limits");
    case Kind::crash:
        return answered(false, run, "no error");
    case Kind::automatic:
    case Kind::verdict:
        break;
    }
    if (run.judgement.verdict == Verdict::inconclusive)
        return {Answer::unresolved, "", "inconclusive: a tensor of zeros would pass as well"};
    return answered(run.judgement.verdict == Verdict::outside, run, verdictText(run));
}

BadWhen settled(const ComparedRun& run) {
    if (overallClass(run.comparison) == PairClass::bug) return {Kind::bug};
    if (run.judgement.verdict == Verdict::outside) return {Kind::verdict};
    if (run.metricMissed) return {Kind::metric};
    return {run.comparison.pairs.empty() || overallClass(run.comparison) ? Kind::bug : Kind::verdict};
}

} // namespace divdet
