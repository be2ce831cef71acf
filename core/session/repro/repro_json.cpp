#include "session/repro/repro_json.h"

#include "report/version.h"

namespace divdet {
namespace {

Json orNull(const std::string& s) {
    return s.empty() ? Json(nullptr) : Json(s);
}

Json head(const char* command) {
    return {{"tool", "divdet"}, {"version", version()}, {"schema", 1}, {"command", command}};
}

Json toJson(const hunt::Outcome& o) {
    return {{"answer", toString(o.answer)}, {"failure", orNull(o.failure)}, {"text", o.text}};
}

Json toJson(const hunt::CaseSize& s) {
    return {{"ops", s.ops},
            {"passes", s.passes},
            {"numbers", s.numbers},
            {"outputs", s.outputs},
            {"output_shapes", s.outputShapes}};
}

Json toJson(const std::optional<TorchConsole>& console) {
    if (!console) return nullptr;
    return {{"log", console->path.string()},
            {"status", console->status ? Json(*console->status) : Json(nullptr)},
            {"error", orNull(console->error)},
            {"error_class", orNull(console->errorClass)}};
}

Json passesOf(const std::vector<lower::PassChoice>& passes) {
    Json out = Json::array();
    for (const auto& p : passes) out.push_back(toString(p));
    return out;
}

void addSymptom(Json& out, const Symptom& symptom) {
    out["bad_when"] = toString(symptom.bad);
    out["explained_by"] = orNull(symptom.explainedBy);
}

} // namespace

Json toJson(const Minified& m, const Repro* repro, const ReproRun* run,
            const std::vector<std::string>& files) {
    Json out = head("minify");
    const hunt::MinimiseResult& r = m.result;
    out["ending"] = toString(r.ending);
    out["block"] = m.request.block.block;
    out["passes"] = passesOf(r.smallest.passes);
    addSymptom(out, m.symptom);
    out["before"] = toJson(r.before);
    out["after"] = toJson(r.after);
    out["size_before"] = toJson(r.sizeBefore);
    out["size_after"] = toJson(r.sizeAfter);
    out["complete"] = r.complete;
    out["runs"] = r.runs;
    out["records"] = r.records;
    out["verdict"] = repro ? orNull(repro->verdict) : Json(nullptr);
    out["class"] = repro ? orNull(repro->pairClass) : Json(nullptr);
    out["largest_error"] = run ? number(run->largestError) : Json(nullptr);
    out["files"] = files;
    out["story"] = r.story;
    out["seconds"] = r.seconds;
    return out;
}

Json toJson(const Repro& repro, const ReproRun& run) {
    Json out = head("repro");
    out["reproduced"] = run.reproduced;
    out["passes"] = passesOf(repro.theCase.passes);
    addSymptom(out, repro.symptom);
    out["expected"] = {{"failure", orNull(repro.failure)},
                       {"verdict", orNull(repro.verdict)},
                       {"class", orNull(repro.pairClass)}};
    out["outcome"] = toJson(run.outcome);
    out["verdict"] = orNull(run.verdict);
    out["class"] = orNull(run.pairClass);
    out["largest_error"] = number(run.largestError);
    out["written_by"] = orNull(repro.toolVersion);
    out["device"] = repro.request.device;
    out["seconds"] = run.seconds;
    return out;
}

Json toJson(const TorchBundle& b) {
    Json out = head("repro");
    out["bundle"] = b.script.string();
    out["answer"] = toString(b.answer);
    out["why"] = b.why;
    out["ops"] = b.ops;
    Json inputs = Json::array();
    for (const TapEntry& tap : b.inputs)
        inputs.push_back({{"name", tap.name},
                          {"dtype", name(tap.dtype)},
                          {"shape", tap.shape},
                          {"error", toJson(tap.error)}});
    out["inputs"] = std::move(inputs);
    out["start"] = toJson(b.start);
    out["search"] = toJson(b.search);
    out["repro"] = toJson(b.repro);
    out["notes"] = b.notes;
    return out;
}

} // namespace divdet
