#include "session/hunt/hunt_json.h"

#include "report/version.h"

namespace divdet {
namespace {

Json head(const char* command) {
    return {{"tool", "divdet"}, {"version", version()}, {"schema", 1}, {"command", command}};
}

Json toJson(const hunt::Outcome& o) {
    return {{"answer", toString(o.answer)},
            {"failure", o.failure.empty() ? Json(nullptr) : Json(o.failure)},
            {"text", o.text}};
}

Json namesOf(const std::vector<std::size_t>& items, const hunt::HuntOptions& options) {
    Json out = Json::array();
    for (const std::size_t i : items) out.push_back(options.items[i]);
    return out;
}

Json documentOf(const hunt::HuntResult& r, const hunt::HuntOptions& options,
                const std::vector<std::string>& commands) {
    Json out = head("bisect");
    out["ending"] = toString(r.ending);
    out["culprits"] = Json::array();
    for (std::size_t c = 0; c < r.culprits.size(); ++c) {
        Json numbers = Json::array();
        for (const std::size_t i : r.culprits[c].items) numbers.push_back(i + 1);
        out["culprits"].push_back(
            {{"items", namesOf(r.culprits[c].items, options)},
             {"numbers", numbers},
             {"alone", r.culprits[c].alone ? toJson(*r.culprits[c].alone) : Json(nullptr)},
             {"run", c < commands.size() ? Json(commands[c]) : Json(nullptr)}});
    }
    out["suspects"] = namesOf(r.suspects, options);
    out["more"] = r.more;
    out["failure"] = r.failure.empty() ? Json(nullptr) : Json(r.failure);
    out["form"] = options.form == hunt::Form::counter ? "counter" : "sets";
    out["items"] = options.items;
    out["everything_on"] = toJson(r.everythingOn);
    out["everything_off"] = r.everythingOff ? toJson(*r.everythingOff) : Json(nullptr);
    out["steady"] = r.steady;
    out["rate"] = {{"bad", r.rate.bad}, {"good", r.rate.good}};
    out["confidence"] = r.steady ? Json(nullptr) : Json(options.confidence);
    out["miss_bound"] = r.steady ? Json(nullptr) : number(r.missBound);
    out["runs"] = r.runs;
    out["checks"] = r.checks;
    out["questions"] = r.questions;
    out["cached"] = r.cached;
    out["story"] = r.story;
    out["seconds"] = r.seconds;
    return out;
}

} // namespace

Json toJson(const BlockHunt& h) {
    Json out = documentOf(h.result, h.request.options, h.commands);
    out["over"] = toString(h.request.over);
    out["bad_when"] = toString(h.request.bad);
    out["block"] = h.request.block.block;
    out["shell_command"] = nullptr;
    return out;
}

Json toJson(const CommandHunt& h) {
    Json out = documentOf(h.result, h.request.options, {});
    out["over"] = nullptr;
    out["bad_when"] = h.request.compare ? Json(toString(h.request.bad)) : Json(nullptr);
    out["block"] = nullptr;
    out["shell_command"] = h.request.command.command;
    return out;
}

Json toJson(const StagesResult& r) {
    Json out = head("stages");
    out["first"] = r.first ? Json(r.stages[*r.first].name) : Json(nullptr);
    out["sure"] = r.sure;
    out["meaning"] = r.meaning.empty() ? Json(nullptr) : Json(r.meaning);
    out["bad_when"] = toString(r.bad);
    out["stages"] = Json::array();
    for (const StageReading& s : r.stages)
        out["stages"].push_back(
            {{"name", s.name},
             {"answer", toString(s.outcome.answer)},
             {"failure", s.outcome.failure.empty() ? Json(nullptr) : Json(s.outcome.failure)},
             {"text", s.outcome.text},
             {"verdict", s.verdict ? Json(toString(*s.verdict)) : Json(nullptr)},
             {"class", s.pairClass ? Json(toString(*s.pairClass)) : Json(nullptr)},
             {"first_bad", s.firstBad.empty() ? Json(nullptr) : Json(s.firstBad)},
             {"changed", s.changed}});
    out["notes"] = r.notes;
    out["seconds"] = r.seconds;
    return out;
}

} // namespace divdet
