#include "report/json_comparison.h"

#include "report/version.h"

namespace divdet {
namespace {

Json sides(const SideCounts& c) {
    return {{"reference", c.reference}, {"candidate", c.candidate}, {"both", c.both}};
}

Json extreme(const Extreme& e, const Shape& shape) {
    return {{"value", e.index < 0 ? Json(0.0) : number(e.value)}, {"index", position(e.index, shape)}};
}

Json worst(const Element& w, const Shape& shape) {
    if (w.index < 0) return nullptr;
    return {{"index", position(w.index, shape)},
            {"reference", number(w.reference)},
            {"candidate", number(w.candidate)},
            {"abs", number(w.abs)},
            {"rel", number(w.rel)},
            {"bound", number(w.bound)},
            {"excess", number(w.excess())}};
}

Json toJson(const Finding& f) {
    Json evidence = Json::object();
    for (const auto& [key, value] : f.evidence)
        evidence[key] = std::visit(
            [](const auto& v) -> Json {
                if constexpr (std::is_same_v<std::decay_t<decltype(v)>, double>)
                    return number(v);
                else
                    return v;
            },
            value);
    return {{"id", f.id}, {"class", toString(f.kind)}, {"text", f.text}, {"evidence", evidence}};
}

Json toJson(const std::vector<Finding>& findings) {
    Json out = Json::array();
    for (const auto& f : findings) out.push_back(toJson(f));
    return out;
}

/// What makes the class of the whole: the findings of its pairs that say so, each with its tap.
Json decidingFindings(const Comparison& c) {
    Json out = Json::array();
    const auto all = overallClass(c);
    if (all != PairClass::bug && all != PairClass::unclear) return out;
    const FindingClass says = all == PairClass::bug ? FindingClass::bug : FindingClass::unclear;
    for (const auto& pair : c.pairs)
        for (const auto& f : pair.findings) {
            if (f.kind != says) continue;
            Json entry = toJson(f);
            entry["tap"] = pair.name;
            out.push_back(std::move(entry));
        }
    return out;
}

Json toJson(const std::optional<PairClass>& c) {
    return c ? Json(toString(*c)) : Json(nullptr);
}

Json frontier(const Summary& s, const Tolerance& t) {
    Json out = Json::array();
    if (s.neverPass(t.equalNan)) return out; // no tolerance passes: there is no curve
    for (const auto& [rtol, atol] : s.frontier.corners(t.rule)) out.push_back({number(rtol), number(atol)});
    return out;
}

/// A pair that never passes needs an infinite tolerance.
double needed(const Summary& s, const Tolerance& t, double finiteNeed) {
    return s.neverPass(t.equalNan) ? std::numeric_limits<double>::infinity() : finiteNeed;
}

Json toleranceJson(const Tolerance& t) {
    Json out{{"rule", toString(t.rule)}, {"rtol", t.rtol}, {"atol", t.atol}, {"equal_nan", t.equalNan}};
    const RuleOptions& o = t.options;
    if (o.maxMismatchFraction > 0) out["max_mismatch_fraction"] = o.maxMismatchFraction;
    if (o.infinitiesEqual) out["infinities_equal"] = true;
    if (t.rule == Rule::polygraphyQuantile) out["error_quantile"] = o.errorQuantile;
    if (t.rule == Rule::eagerRmse) {
        out["rmse_tol"] = o.rmseTol;
        out["rmse_k"] = o.rmseK ? Json(*o.rmseK) : Json(nullptr);
    }
    return out;
}

Json statistic(const std::optional<RuleStatistic>& s) {
    if (!s) return nullptr;
    Json out{{"name", s->name}, {"abs", number(s->abs)}, {"rel", number(s->rel)}};
    if (s->reference) out["reference"] = number(*s->reference);
    if (s->limit) out["limit"] = number(*s->limit);
    return out;
}

/// The rules that answer otherwise, each with an element that decides it.
Json peers(const TapPair& pair, const Tolerance& t) {
    Json out = Json::array();
    if (!pair.peers || pair.peers->tolerance != t) return out;
    for (const RuleDisagreement& d : pair.peers->disagreeing) {
        Json entry{{"rule", toString(d.rule)}, {"verdict", d.passes ? "within" : "outside"}};
        entry["index"] = position(d.index, pair.referenceShape);
        if (d.index >= 0) {
            entry["reference"] = number(d.reference);
            entry["candidate"] = number(d.candidate);
            entry["error"] = number(d.error);
            entry["bound"] = number(d.bound);
            const bool elements = !info(t.rule).wholeTensor; // else no element was held against a bound
            entry["judged_error"] = elements ? number(d.judgedError) : Json(nullptr);
            entry["judged_bound"] = elements ? number(d.judgedBound) : Json(nullptr);
        }
        out.push_back(std::move(entry));
    }
    return out;
}

/// Counts and elements are those of the rule that judged: of the scan where it has a frontier, else its own.
struct Decided {
    bool exact = false;
    std::int64_t first = -1;
    Element worst;
};

Decided decided(const TapPair& pair, const Tolerance& t) {
    if (hasFrontier(t.rule)) {
        const AtTolerance& at = pair.summary->at;
        return {at.tolerance == t, at.firstMismatch, at.worst};
    }
    if (!pair.ruled || pair.ruled->tolerance != t) return {};
    return {true, pair.ruled->firstMismatch, pair.ruled->worst};
}

void addSummary(const Summary& s, const TapPair& pair, const TapVerdict& v, Json& out) {
    const Shape& shape = pair.referenceShape;
    const Tolerance& t = v.tolerance;
    const Decided at = decided(pair, t);
    const bool counted = v.mismatches.low == v.mismatches.high && !info(t.rule).wholeTensor && !v.refused;
    out["elements"] = s.elements;
    out["mismatches"] = counted ? Json(v.mismatches.low) : Json(nullptr);
    if (counted && t.options.maxMismatchFraction > 0)
        out["mismatch_fraction"] =
            s.elements ? static_cast<double>(v.mismatches.low) / static_cast<double>(s.elements) : 0.0;
    if (v.mismatches.low != v.mismatches.high) out["mismatch_bounds"] = {v.mismatches.low, v.mismatches.high};
    out["max_abs"] = extreme(s.maxAbs, shape);
    out["max_rel"] = extreme(s.maxRel, shape);
    out["max_rel"]["infinite"] = s.infiniteRel;
    out["max_rel"]["significant"] = s.at.tolerance.rtol == t.rtol && s.at.tolerance.atol == t.atol
                                        ? number(s.at.significantMaxRel)
                                        : Json(nullptr);
    out["worst"] = at.exact ? worst(at.worst, shape) : Json(nullptr);
    out["max_ulp"] = count(s.maxUlp);
    out["nonfinite_mismatches"] = s.neverPass(t.equalNan) - s.overflowedError;
    out["rms"] = number(s.rms);
    out["rms_reference"] = number(s.rmsReference);
    out["mean_abs"] = number(s.meanAbs);
    out["sqnr_db"] = number(s.sqnrDb);
    out["cosine"] = number(s.cosine);
    out["bias"] = number(s.bias);
    out["bias_standard_error"] = s.bias ? number(s.biasError) : Json(nullptr);
    out["signs"] = {{"above", s.above}, {"below", s.below}};
    out["regression"] =
        s.regression ? Json{{"gain", number(s.regression->gain)}, {"offset", number(s.regression->offset)}}
                     : Json(nullptr);
    out["bit_identical"] = s.bitIdentical;
    out["nan"] = sides(s.nan);
    out["inf"] = sides(s.inf);
    out["zeros"] = sides(s.zero);
    out["subnormals"] = sides(s.subnormal);
    out["first_mismatch"] = at.exact ? position(at.first, shape) : Json(nullptr);
    out["needed"] = {{"atol_at_rtol", number(needed(s, t, s.frontier.neededAtol(t.rule, t.rtol)))},
                     {"rtol_at_atol", number(needed(s, t, s.frontier.neededRtol(t.rule, t.atol)))},
                     {"rtol_linked", number(s.neededRtolLinked(t))}};
    out["frontier"] = frontier(s, t);
}

/// A pair without a summary has the same fields, empty.
void addNothing(Json& out) {
    for (const char* key : {"elements",
                            "mismatches",
                            "max_abs",
                            "max_rel",
                            "worst",
                            "max_ulp",
                            "nonfinite_mismatches",
                            "rms",
                            "rms_reference",
                            "mean_abs",
                            "sqnr_db",
                            "cosine",
                            "bias",
                            "bias_standard_error",
                            "signs",
                            "regression",
                            "bit_identical",
                            "nan",
                            "inf",
                            "zeros",
                            "subnormals",
                            "first_mismatch",
                            "needed",
                            "frontier"})
        out[key] = nullptr;
}

} // namespace

Json toJson(const TapPair& pair, const TapVerdict& v, const Tolerance& t) {
    Json out;
    out["name"] = pair.name;
    out["candidate_name"] = pair.candidateName;
    out["paired_by"] = toString(pair.pairedBy);
    out["op"] = pair.op.empty() ? Json(nullptr) : Json(pair.op);
    out["transform"] = pair.transform.empty() ? Json(nullptr) : Json(pair.transform);
    out["judged"] = pair.judged;
    out["dtype"] = {name(pair.referenceDType), name(pair.candidateDType)};
    out["shape"] = pair.referenceShape;
    if (pair.referenceShape != pair.candidateShape) out["candidate_shape"] = pair.candidateShape;
    out["verdict"] = toString(v.verdict);
    out["over"] = v.over;
    out["class"] = toJson(pair.pairClass);
    out["error"] = toJson(v.refused ? v.refused : pair.problem);
    if (pair.summary)
        addSummary(*pair.summary, pair, v, out);
    else
        addNothing(out);
    if (v.tolerance != t) out["tolerance"] = toleranceJson(v.tolerance);
    out["statistic"] = statistic(v.statistic);
    out["rules"] = peers(pair, v.tolerance);
    out["z_rms"] = pair.zRms ? number(*pair.zRms) : Json(nullptr);
    out["z_largest"] = pair.zLargest ? number(*pair.zLargest) : Json(nullptr);
    out["beyond_hard_bound"] = pair.bound ? Json(pair.bound->beyond) : Json(nullptr);
    out["bound_score"] =
        pair.bound ? Json{{"largest", number(pair.bound->largest)}, {"rms", number(pair.bound->rms)}}
                   : Json(nullptr);
    out["findings"] = toJson(pair.findings);
    out["cautions"] = v.cautions;
    return out;
}

namespace {

/// A tap that only one side has: the fields of a pair, empty.
Json missingTap(const Comparison& c, const std::string& name, bool inReference) {
    Json out;
    out["name"] = name;
    out["candidate_name"] = inReference ? Json(nullptr) : Json(name);
    out["paired_by"] = nullptr;
    out["verdict"] = c.missingJudged ? Json("incomplete") : Json(nullptr);
    out["class"] = nullptr;
    out["error"] = nullptr;
    addNothing(out);
    out["findings"] = Json::array();
    out["cautions"] = {inReference ? "missing-in-candidate" : "missing-in-reference"};
    for (const auto& [missing, kept] : c.tied) {
        if (missing != name) continue;
        out["cautions"].push_back("tied");
        out["tied_to"] = kept;
        break;
    }
    return out;
}

} // namespace

Json toJson(const Comparison& c, const Judgement& j, const JsonHead& head) {
    Json out;
    out["tool"] = "divdet";
    out["version"] = version();
    out["schema"] = 1;
    out["command"] = head.command;
    out["reference"] = c.referenceName;
    out["candidate"] = c.candidateName;
    out["verdict"] = toString(j.verdict);
    out["class"] = toJson(overallClass(c));
    out["tolerance"] = toleranceJson(j.tolerance);
    out["first_bad"] =
        c.firstBad && *c.firstBad < c.pairs.size() ? Json(c.pairs[*c.firstBad].name) : Json(nullptr);
    out["counts"] = {{"pairs", c.pairs.size()},
                     {"within", j.within},
                     {"outside", j.outside},
                     {"inconclusive", j.inconclusive},
                     {"incomparable", j.incomparable},
                     {"unreadable", j.unreadable},
                     {"only_in_reference", c.onlyInReference},
                     {"only_in_candidate", c.onlyInCandidate}};
    out["needed"] = {{"atol_at_rtol", number(neededAtol(c, j.tolerance))},
                     {"rtol_at_atol", number(neededRtol(c, j.tolerance))},
                     {"rtol_linked", number(neededRtolLinked(c, j.tolerance))}};
    out["tensors"] = Json::array();
    for (std::size_t i = 0; i < c.pairs.size(); ++i)
        out["tensors"].push_back(toJson(c.pairs[i], j.taps[i], j.tolerance));
    for (const auto& name : c.onlyInReference) out["tensors"].push_back(missingTap(c, name, true));
    for (const auto& name : c.onlyInCandidate) out["tensors"].push_back(missingTap(c, name, false));
    out["findings"] = decidingFindings(c);
    out["cautions"] = c.cautions;
    out["notes"] = c.notes;
    out["metric"] = nullptr;
    out["environment"] = {{"device", head.device.empty() ? Json(nullptr) : Json(head.device)},
                          {"threads", head.threads}};
    out["seconds"] = head.seconds;
    return out;
}

} // namespace divdet
