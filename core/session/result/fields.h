#pragma once
#include <concepts>
#include <type_traits>

#include "judge/metric/task_metric.h"
#include "session/compare_dumps.h"

/// Every field that a result file stores, in one place. Each list binds all members of its type, so that a
/// new member does not compile until it is stored too (or, as `load`, named here and left out).
namespace divdet::result {

template <class S, class T>
concept Is = std::same_as<std::remove_const_t<S>, T>;

template <Is<Extreme> S, class F>
void eachField(S& s, F&& f) {
    auto& [value, index] = s;
    f("value", value), f("index", index);
}
template <Is<SideCounts> S, class F>
void eachField(S& s, F&& f) {
    auto& [reference, candidate, both] = s;
    f("reference", reference), f("candidate", candidate), f("both", both);
}
template <Is<Regression> S, class F>
void eachField(S& s, F&& f) {
    auto& [gain, offset] = s;
    f("gain", gain), f("offset", offset);
}
template <Is<TileMap> S, class F>
void eachField(S& s, F&& f) {
    auto& [rows, columns, rowsPerTile, columnsPerTile, maxAbs, rms] = s;
    f("rows", rows), f("columns", columns), f("rows_per_tile", rowsPerTile);
    f("columns_per_tile", columnsPerTile), f("max_abs", maxAbs), f("rms", rms);
}
template <Is<Element> S, class F>
void eachField(S& s, F&& f) {
    auto& [index, reference, candidate, abs, rel, bound] = s;
    f("index", index), f("reference", reference), f("candidate", candidate);
    f("abs", abs), f("rel", rel), f("bound", bound);
}
template <Is<RuleOptions> S, class F>
void eachField(S& s, F&& f) {
    auto& [infinitiesEqual, errorQuantile, rmseTol, rmseK, maxMismatchFraction] = s;
    f("infinities_equal", infinitiesEqual), f("error_quantile", errorQuantile), f("rmse_tol", rmseTol);
    f("rmse_k", rmseK), f("max_mismatch_fraction", maxMismatchFraction);
}
template <Is<Tolerance> S, class F>
void eachField(S& s, F&& f) {
    auto& [rule, rtol, atol, equalNan, options] = s;
    f("rule", rule), f("rtol", rtol), f("atol", atol), f("equal_nan", equalNan), f("options", options);
}
template <Is<ToleranceOverrides> S, class F>
void eachField(S& s, F&& f) {
    auto& [rtol, atol, rule, equalNan, options] = s;
    f("rtol", rtol), f("atol", atol), f("rule", rule), f("equal_nan", equalNan), f("options", options);
}
template <Is<AtTolerance> S, class F>
void eachField(S& s, F&& f) {
    auto& [tolerance, mismatches, firstMismatch, worst, significantMaxRel] = s;
    f("tolerance", tolerance), f("mismatches", mismatches), f("first_mismatch", firstMismatch);
    f("worst", worst), f("significant_max_rel", significantMaxRel);
}
template <Is<RuleStatistic> S, class F>
void eachField(S& s, F&& f) {
    auto& [name, abs, rel, reference, limit] = s;
    f("name", name), f("abs", abs), f("rel", rel), f("reference", reference), f("limit", limit);
}
template <Is<RuleOutcome> S, class F>
void eachField(S& s, F&& f) {
    auto& [tolerance, passes, zerosPass, elements, mismatches, firstMismatch, worst, statistic, note] = s;
    f("tolerance", tolerance), f("passes", passes), f("zeros_pass", zerosPass), f("elements", elements);
    f("mismatches", mismatches), f("first_mismatch", firstMismatch), f("worst", worst);
    f("statistic", statistic), f("note", note);
}
template <Is<RuleDisagreement> S, class F>
void eachField(S& s, F&& f) {
    auto& [rule, passes, index, reference, candidate, error, bound, judgedError, judgedBound] = s;
    f("rule", rule), f("passes", passes), f("index", index), f("reference", reference);
    f("candidate", candidate), f("error", error), f("bound", bound), f("judged_error", judgedError);
    f("judged_bound", judgedBound);
}
template <Is<RulePeers> S, class F>
void eachField(S& s, F&& f) {
    auto& [tolerance, disagreeing] = s;
    f("tolerance", tolerance), f("disagreeing", disagreeing);
}
template <Is<TapTolerance> S, class F>
void eachField(S& s, F&& f) {
    auto& [glob, overrides] = s;
    f("glob", glob), f("overrides", overrides);
}
template <Is<Summary> S, class F>
void eachField(S& s, F&& f) {
    auto& [elements, equal, bitIdentical, finite, maxAbs, maxRel, infiniteRel, maxUlp, ulpSignFlips, meanAbs,
           rms, rmsReference, rmsCandidate, meanReference, sqnrDb, cosine, bias, biasError, above, below,
           regression, nan, inf, zero, subnormal, signedZero, never, overflowedError, maxMagnitude,
           minMagnitude, finiteReference, frontier, neededLinked, histogram, ulpHistogram, tiles, at] = s;
    f("elements", elements), f("equal", equal), f("bit_identical", bitIdentical), f("finite", finite);
    f("max_abs", maxAbs), f("max_rel", maxRel), f("infinite_rel", infiniteRel), f("max_ulp", maxUlp);
    f("ulp_sign_flips", ulpSignFlips), f("mean_abs", meanAbs), f("rms", rms);
    f("rms_reference", rmsReference), f("rms_candidate", rmsCandidate);
    f("mean_reference", meanReference), f("sqnr_db", sqnrDb), f("cosine", cosine), f("bias", bias);
    f("bias_error", biasError), f("above", above), f("below", below), f("regression", regression);
    f("nan", nan), f("inf", inf), f("zero", zero), f("subnormal", subnormal), f("signed_zero", signedZero);
    f("never", never), f("overflowed_error", overflowedError), f("max_magnitude", maxMagnitude);
    f("min_magnitude", minMagnitude), f("finite_reference", finiteReference), f("frontier", frontier);
    f("needed_linked", neededLinked), f("histogram", histogram), f("ulp_histogram", ulpHistogram);
    f("tiles", tiles), f("at", at);
}
template <Is<Error> S, class F>
void eachField(S& s, F&& f) {
    auto& [code, message, path, hint, offset] = s;
    f("code", code), f("message", message), f("path", path), f("hint", hint), f("offset", offset);
}
template <Is<Finding> S, class F>
void eachField(S& s, F&& f) {
    auto& [id, kind, text, evidence] = s;
    f("id", id), f("kind", kind), f("text", text), f("evidence", evidence);
}
template <Is<BoundScore> S, class F>
void eachField(S& s, F&& f) {
    auto& [elements, beyond, largest, rms] = s;
    f("elements", elements), f("beyond", beyond), f("largest", largest), f("rms", rms);
}
template <Is<TapPair> S, class F>
void eachField(S& s, F&& f) {
    auto& [name, candidateName, pairedBy, op, transform, judged, referenceDType, candidateDType,
           referenceShape, candidateShape, summary, structural, problem, cautions, findings, pairClass, runs,
           zRms, zLargest, zHistogram, bound, own, ruled, peers, load] = s;
    static_cast<void>(load);       // made anew from the recorded paths
    static_cast<void>(zHistogram); // of live runs, which are not kept
    f("name", name), f("candidate_name", candidateName), f("paired_by", pairedBy), f("op", op);
    f("transform", transform);
    f("judged", judged), f("reference_dtype", referenceDType), f("candidate_dtype", candidateDType);
    f("reference_shape", referenceShape), f("candidate_shape", candidateShape), f("summary", summary);
    f("structural", structural), f("problem", problem), f("cautions", cautions);
    f("findings", findings), f("class", pairClass), f("runs", runs), f("z_rms", zRms),
        f("z_largest", zLargest), f("bound", bound), f("own", own), f("ruled", ruled), f("peers", peers);
}
template <Is<Comparison> S, class F>
void eachField(S& s, F&& f) {
    auto& [referenceName, candidateName, pairs, onlyInReference, onlyInCandidate, tied, missingJudged, notes,
           cautions, partial, firstBad] = s;
    f("reference", referenceName), f("candidate", candidateName), f("pairs", pairs);
    f("only_in_reference", onlyInReference), f("only_in_candidate", onlyInCandidate);
    f("tied", tied);
    f("missing_judged", missingJudged), f("notes", notes), f("cautions", cautions), f("partial", partial);
    f("first_bad", firstBad);
}
template <Is<PairingOptions> S, class F>
void eachField(S& s, F&& f) {
    auto& [explicitPairs, only, skip, order] = s;
    f("explicit", explicitPairs), f("only", only), f("skip", skip), f("order", order);
}
template <Is<LoadOptions> S, class F>
void eachField(S& s, F&& f) {
    auto& [opaqueAs, field] = s;
    f("opaque_as", opaqueAs), f("field", field);
}
template <Is<JudgeSelection> S, class F>
void eachField(S& s, F&& f) {
    auto& [kind, names] = s;
    f("kind", kind), f("names", names);
}
template <Is<RawFormat> S, class F>
void eachField(S& s, F&& f) {
    auto& [dtype, shape] = s;
    f("dtype", dtype), f("shape", shape);
}
template <Is<OpenOptions> S, class F>
void eachField(S& s, F&& f) {
    auto& [folders, runner, raw, ranks] = s;
    f("folders", folders), f("runner", runner), f("raw", raw), f("ranks", ranks);
}
template <Is<ShapeOptions> S, class F>
void eachField(S& s, F&& f) {
    auto& [squeeze, reshape, transpose, splits] = s;
    f("squeeze", squeeze), f("reshape", reshape), f("transpose", transpose), f("splits", splits);
}
template <Is<MetricLimits> S, class F>
void eachField(S& s, F&& f) {
    auto& [minTop1, minAccuracy, maxKl, maxPplDelta] = s;
    f("min_top1", minTop1), f("min_accuracy", minAccuracy), f("max_kl", maxKl);
    f("max_ppl_delta", maxPplDelta);
}
template <Is<MetricRequest> S, class F>
void eachField(S& s, F&& f) {
    auto& [logits, targets, limits] = s;
    f("logits", logits), f("targets", targets), f("limits", limits);
}
template <Is<Estimate> S, class F>
void eachField(S& s, F&& f) {
    auto& [value, error] = s;
    f("value", value), f("error", error);
}
template <Is<ToleranceBound> S, class F>
void eachField(S& s, F&& f) {
    auto& [atol, rtolLinked] = s;
    f("atol", atol), f("rtol_linked", rtolLinked);
}
template <Is<Flip> S, class F>
void eachField(S& s, F&& f) {
    auto& [token, reference, candidate, top, other, error] = s;
    f("token", token), f("reference", reference), f("candidate", candidate), f("top", top);
    f("other", other), f("error", error);
}
template <Is<TargetScore> S, class F>
void eachField(S& s, F&& f) {
    auto& [tokens, rightReference, rightCandidate, won, lost, crossEntropyReference, crossEntropyCandidate,
           crossEntropyChange, perplexityReference, perplexityCandidate, perplexityChange] = s;
    f("tokens", tokens), f("right_reference", rightReference), f("right_candidate", rightCandidate);
    f("won", won), f("lost", lost), f("ce_reference", crossEntropyReference);
    f("ce_candidate", crossEntropyCandidate), f("ce_change", crossEntropyChange);
    f("ppl_reference", perplexityReference), f("ppl_candidate", perplexityCandidate);
    f("ppl_change", perplexityChange);
}
template <Is<TaskMetric> S, class F>
void eachField(S& s, F&& f) {
    auto& [logits, targets, leading, vocabulary, tokens, agreed, cannotFlip, tiedReference, tiedCandidate,
           undefinedReference, undefinedCandidate, kl, klLargest, klLargestToken, firstFlip, safe, observed,
           scored, notes] = s;
    f("logits", logits), f("targets", targets), f("leading", leading), f("vocabulary", vocabulary);
    f("tokens", tokens), f("agreed", agreed), f("cannot_flip", cannotFlip);
    f("tied_reference", tiedReference), f("tied_candidate", tiedCandidate);
    f("undefined_reference", undefinedReference), f("undefined_candidate", undefinedCandidate);
    f("kl", kl), f("kl_largest", klLargest), f("kl_largest_token", klLargestToken);
    f("first_flip", firstFlip), f("safe", safe), f("observed", observed), f("scored", scored);
    f("notes", notes);
}
template <Is<JudgeOptions> S, class F>
void eachField(S& s, F&& f) {
    auto& [declare, context, k, inputs, graph, runs, roles, axes, failOn] = s;
    f("declare", declare), f("context", context), f("k", k), f("inputs", inputs), f("graph", graph),
        f("runs", runs);
    f("roles", roles), f("axes", axes), f("fail_on", failOn);
}
template <Is<CompareRequest> S, class F>
void eachField(S& s, F&& f) {
    auto& [reference, candidate, pairing, referenceOpen, candidateOpen, shapes, ignoreMissing, referenceLoad,
           candidateLoad, judge, tolerance, overrides, tapTolerances, tolerancesFile, mask, fp64, metric,
           knowledge] = s;
    f("reference", reference), f("candidate", candidate), f("pairing", pairing);
    f("reference_open", referenceOpen), f("candidate_open", candidateOpen), f("shapes", shapes);
    f("ignore_missing", ignoreMissing), f("reference_load", referenceLoad);
    f("candidate_load", candidateLoad), f("judge", judge), f("tolerance", tolerance);
    f("overrides", overrides), f("tap_tolerances", tapTolerances), f("tolerances_file", tolerancesFile);
    f("mask", mask), f("fp64", fp64), f("metric", metric), f("knowledge", knowledge);
}
template <Is<CompareResult> S, class F>
void eachField(S& s, F&& f) {
    auto& [request, tolerance, comparison, referenceFormat, candidateFormat, seconds, complete, metric] = s;
    f("request", request), f("tolerance", tolerance), f("comparison", comparison);
    f("reference_format", referenceFormat), f("candidate_format", candidateFormat);
    f("seconds", seconds), f("complete", complete), f("metric", metric);
}

} // namespace divdet::result
