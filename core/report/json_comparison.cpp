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

void addSummary(const Summary& s, const TapPair& pair, const TapVerdict& v, const Tolerance& t, Json& out) {
    const Shape& shape = pair.referenceShape;
    const bool exact = s.at.tolerance == t;
    out["elements"] = s.elements;
    out["mismatches"] = v.mismatches.low == v.mismatches.high ? Json(v.mismatches.low) : Json(nullptr);
    if (v.mismatches.low != v.mismatches.high) out["mismatch_bounds"] = {v.mismatches.low, v.mismatches.high};
    out["max_abs"] = extreme(s.maxAbs, shape);
    out["max_rel"] = extreme(s.maxRel, shape);
    out["max_rel"]["infinite"] = s.infiniteRel;
    out["max_rel"]["significant"] = exact ? number(s.at.significantMaxRel) : Json(nullptr);
    out["worst"] = exact ? worst(s.at.worst, shape) : Json(nullptr);
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
    out["first_mismatch"] = exact ? position(s.at.firstMismatch, shape) : Json(nullptr);
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
    out["error"] = toJson(pair.problem);
    if (pair.summary)
        addSummary(*pair.summary, pair, v, t, out);
    else
        addNothing(out);
    out["z_rms"] = nullptr;
    out["beyond_hard_bound"] = nullptr;
    out["findings"] = toJson(pair.findings);
    out["cautions"] = v.cautions;
    return out;
}

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
    out["tolerance"] = {{"rule", toString(j.tolerance.rule)},
                        {"rtol", j.tolerance.rtol},
                        {"atol", j.tolerance.atol},
                        {"equal_nan", j.tolerance.equalNan}};
    out["first_bad"] = nullptr;
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
    out["findings"] = Json::array();
    out["cautions"] = c.cautions;
    out["notes"] = c.notes;
    out["metric"] = nullptr;
    out["environment"] = {{"device", head.device.empty() ? Json(nullptr) : Json(head.device)},
                          {"threads", head.threads}};
    out["seconds"] = head.seconds;
    return out;
}

} // namespace divdet
