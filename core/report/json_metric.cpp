#include "report/json_metric.h"

#include "judge/metric/message.h"
#include "report/metric_text.h"

namespace divdet {
namespace {

/// A number that is not there is null, one that is not finite is a word.
Json errorOf(const Estimate& e) {
    return std::isnan(e.error) ? Json(nullptr) : number(e.error);
}

void put(Json& out, const std::string& key, const Estimate& e) {
    out[key] = number(e.value);
    out[key + "_error"] = errorOf(e);
}

Json flip(const Flip& f, const Shape& leading) {
    const auto word = [](std::int64_t w) { return w < 0 ? Json(nullptr) : Json(w); };
    return {{"token", f.token},
            {"index", position(f.token, leading)},
            {"reference", word(f.reference)},
            {"candidate", word(f.candidate)},
            {"gap", number(f.top - f.other)},
            {"error", number(f.error)}};
}

Json bound(const ToleranceBound& b) {
    return {{"atol", number(b.atol)},
            {"rtol_linked", number(b.rtolLinked)},
            {"atol_linked", number(std::isinf(b.rtolLinked) ? b.rtolLinked : linkedAtol(b.rtolLinked))}};
}

Json limit(const LimitOutcome& o) {
    return {{"option", o.option},
            {"bound", o.lower ? "lower" : "upper"},
            {"limit", number(o.limit)},
            {"value", number(o.value.value)},
            {"standard_error", errorOf(o.value)},
            {"missed", o.missed},
            {"missed_by", o.missed ? number(o.missedBy()) : Json(nullptr)},
            {"text", o.text()}};
}

/// What targets tell; the same fields, null, without them.
void addScore(Json& out, const std::optional<TargetScore>& scored) {
    if (!scored) {
        for (const char* key : {"accuracy_reference", "accuracy_candidate", "accuracy_change", "ce_reference",
                                "ce_candidate", "ce_change", "ppl_reference", "ppl_candidate", "ppl_change"})
            out[key] = out[std::string(key) + "_error"] = nullptr;
        out["targets_counted"] = 0;
        return;
    }
    const TargetScore& s = *scored;
    put(out, "accuracy_reference", s.accuracyReference());
    put(out, "accuracy_candidate", s.accuracyCandidate());
    put(out, "accuracy_change", s.accuracyChange());
    put(out, "ce_reference", s.crossEntropyReference);
    put(out, "ce_candidate", s.crossEntropyCandidate);
    put(out, "ce_change", s.crossEntropyChange);
    put(out, "ppl_reference", s.perplexityReference);
    put(out, "ppl_candidate", s.perplexityCandidate);
    put(out, "ppl_change", s.perplexityChange);
    out["targets_counted"] = s.tokens;
}

void addTask(Json& out, const TaskMetric& m) {
    out["logits"] = m.logits;
    out["targets"] = m.targets.empty() ? Json(nullptr) : Json(m.targets);
    out["tokens"] = m.tokens;
    out["vocabulary"] = m.vocabulary;
    put(out, "top1_agreement", m.agreement());
    out["flips"] = m.flips();
    out["one_flip"] = number(m.oneFlip());
    addScore(out, m.scored);
    put(out, "kl", m.kl);
    out["kl_largest"] = {{"value", number(m.klLargest)}, {"index", position(m.klLargestToken, m.leading)}};
    out["headroom"] = number(m.headroom());
    out["first_flip"] = m.firstFlip ? flip(*m.firstFlip, m.leading) : Json(nullptr);
    out["ties"] = {{"reference", m.tiedReference}, {"candidate", m.tiedCandidate}};
    out["undefined"] = {{"reference", m.undefinedReference}, {"candidate", m.undefinedCandidate}};
    out["nothing_flips_within"] = bound(m.safe);
    out["flipped_are_outside_below"] = m.observed ? bound(*m.observed) : Json(nullptr);
    out["loosest_tolerance"] = report::safeSentence(m);
    out["notes"] = m.notes;
}

} // namespace

Json toJson(const MetricAnswer& answer, const Judgement& j) {
    if (answer.empty()) return nullptr;
    Json out = Json::object();
    if (answer.task)
        addTask(out, *answer.task);
    else
        for (const char* key :
             {"logits", "targets", "top1_agreement", "kl", "ppl_reference", "ppl_candidate", "headroom"})
            out[key] = nullptr;
    out["command"] = nullptr;
    if (answer.command) {
        out["command"] = {{"command", answer.command->command}, {"samples", answer.command->samples}};
        put(out["command"], "mean", answer.command->mean);
    }
    out["limits"] = Json::array();
    for (const auto& o : answer.limits) out["limits"].push_back(limit(o));
    const auto message = answer.task ? metricMessage(*answer.task, j.verdict, answer.limits) : std::nullopt;
    out["message"] = message ? Json(*message) : Json(nullptr);
    out["cautions"] = answer.task ? metricCautions(*answer.task) : std::vector<std::string>{};
    return out;
}

} // namespace divdet
