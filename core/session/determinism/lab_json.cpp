#include "session/determinism/lab_json.h"

#include "report/version.h"
#include "session/determinism/run_spread_json.h"

namespace divdet {
namespace {

Json tapsJson(const std::vector<TapOfRuns>& taps) {
    Json out = Json::array();
    for (const auto& t : taps) out.push_back(toJson(t));
    return out;
}

Json nameOf(const std::optional<std::size_t>& tap, const std::vector<TapOfRuns>& taps) {
    return tap ? Json(taps[*tap].name) : Json(nullptr);
}

Json seenJson(const run::RaceSeen& s) {
    if (s.races == 0) return nullptr;
    return {{"threads", s.threads},
            {"races", s.races},
            {"overlapping", s.overlapping},
            {"additions", s.additions},
            {"retries", s.retries}};
}

Json runsJson(const RepeatedRuns& r) {
    return {{"runs", r.runs},
            {"bit_equal", r.sameBits()},
            {"first_varying", nameOf(r.firstVarying, r.taps)},
            {"first_run", r.firstRun ? Json(*r.firstRun) : Json(nullptr)},
            {"counts", {{"taps", r.taps.size()}, {"bit_equal", r.equal}, {"varying", r.varying}}},
            {"taps", tapsJson(r.taps)},
            {"threads", seenJson(r.seen)},
            {"seconds", r.seconds}};
}

Json rowJson(const RowAgainstBatch& r) {
    return {{"bit_equal", r.sameBits()},
            {"first_varying", nameOf(r.firstVarying, r.taps)},
            {"varying", r.varying},
            {"taps", tapsJson(r.taps)}};
}

Json batchJson(const BatchInvariance& b) {
    Json splits = Json::array();
    for (const auto& s : b.splits)
        splits.push_back({{"op", s.op}, {"k", s.k}, {"alone", s.alone}, {"in_batch", s.inBatch}});
    return {{"batch", b.batch},
            {"row", b.row},
            {"splits", splits},
            {"by_batch", rowJson(b.byBatch)},
            {"fixed_splits", b.fixedSplits},
            {"fixed", rowJson(b.fixed)}};
}

Json sourceJson(const SourceResult& s) {
    Json out{{"source", name(s.source)},
             {"not_measured", s.measured() ? Json(nullptr) : Json(s.notMeasured)},
             {"differs_by", s.source == Variation::batch                                        ? "batch"
                            : s.source == Variation::atomics || s.source == Variation::autotune ? "run"
                                                                                                : "setting"}};
    if (!s.measured()) return out;
    if (s.batch) {
        out["batch"] = batchJson(*s.batch);
        return out;
    }
    out["result"] = runsJson(s.runs);
    if (!s.settings.empty()) {
        out["repetitions"] = s.repetitions;
        for (const auto& setting : s.settings)
            out["settings"].push_back({{"label", setting.label}, {"steady", setting.steady}});
    }
    if (!s.chosen.empty()) out["chosen"] = s.chosen;
    return out;
}

Json switchJson(const SwitchResult& s) {
    return {{"refused", toJson(s.refused)},
            {"changes", s.changes},
            {"result", s.runs ? runsJson(*s.runs) : Json(nullptr)}};
}

Json quartilesJson(const Quartiles& q) {
    return {{"median", number(q.median)}, {"q1", number(q.low)}, {"q3", number(q.high)}};
}

Json costJson(const LabResult& r) {
    Json out{{"not_measured", r.costNotMeasured.empty() ? Json(nullptr) : Json(r.costNotMeasured)},
             {"device", r.request.block.device},
             {"quoted", {{"low", kQuotedCostLow}, {"high", kQuotedCostHigh}, {"measured_here", false}}}};
    if (!r.cost) return out;
    out["pairs"] = r.cost->pairs;
    out["off_seconds"] = quartilesJson(r.cost->off);
    out["on_seconds"] = quartilesJson(r.cost->on);
    out["ratio"] = quartilesJson(r.cost->ratio);
    out["verdict"] = name(r.cost->verdict);
    return out;
}

} // namespace

std::string_view verdictOf(const LabResult& r) {
    const auto varies = r.varies();
    return !varies ? "no-answer" : *varies ? "varies" : "same-bits";
}

Json toJson(const LabResult& r) {
    const BlockRequest& b = r.request.block;
    Json passes = Json::array(), sources = Json::array();
    for (const auto& p : b.passes) passes.push_back(toString(p));
    for (const auto& s : r.sources) sources.push_back(sourceJson(s));
    return {{"tool", "divdet"},
            {"version", version()},
            {"schema", 1},
            {"command", "determinism"},
            {"verdict", verdictOf(r)},
            {"block",
             {{"id", b.block},
              {"dims", b.dims},
              {"seed", b.seed},
              {"run_number", b.runNumber},
              {"passes", passes}}},
            {"environment", {{"device", b.device}, {"title", r.deviceTitle}}},
            {"runs", r.request.runs},
            {"left_to_chance", r.raced},
            {"sources", sources},
            {"switch", r.fixed ? switchJson(*r.fixed) : Json(nullptr)},
            {"cost", costJson(r)},
            {"notes", r.notes},
            {"complete", r.complete},
            {"seconds", r.seconds}};
}

} // namespace divdet
