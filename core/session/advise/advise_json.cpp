#include "session/advise/advise_json.h"

#include "report/version.h"
#include "session/advise/advise_snippets.h"

namespace divdet {
namespace {

Json pairOf(const Tolerance& t) {
    return {{"rtol", number(t.rtol)}, {"atol", number(t.atol)}};
}

} // namespace

Json toJson(const Advice& a) {
    Json out = {
        {"tool", "divdet"}, {"version", std::string(version())}, {"schema", 1}, {"command", "advise"}};
    out["op"] = {{"name", a.request.op},         {"sizes", a.request.sizes},   {"dtype", a.request.dtype},
                 {"acc", a.request.accumulator}, {"out", a.request.output},    {"inputs", a.request.inputs},
                 {"elements", a.elements},       {"device", a.request.device}, {"seed", a.request.seed}};
    out["reference"] = a.reference;
    out["p"] = number(a.request.p);
    out["recommended"] = pairOf(a.recommended);
    out["false_alarm"] = number(a.falseAlarm);
    out["linked"] = pairOf(a.linked);
    out["linked"]["false_alarm"] = number(a.linkedAlarm);
    out["loosest"] = nullptr;
    if (a.loosest) {
        out["loosest"] = pairOf(*a.loosest);
        out["loosest"]["catches"] = a.loosestCatches;
    }
    out["lossless"] = nullptr;
    if (a.lossless) {
        out["lossless"] = pairOf(*a.lossless);
        out["lossless"]["first_lost"] = a.firstLost;
    }
    out["given"] = nullptr;
    if (a.given) {
        out["given"] = pairOf(a.given->tolerance);
        out["given"]["verdict"] = toString(a.given->verdict);
        out["given"]["false_alarm"] = number(a.given->falseAlarm);
        out["given"]["blind_to"] = a.given->blindTo;
    }
    out["power"] = Json::array();
    for (const FaultPower& p : a.power)
        out["power"].push_back({{"fault", p.fault},
                                {"title", p.title},
                                {"caught", number(p.recommended)},
                                {"caught_by_given", number(p.given)},
                                {"runs", p.runs},
                                {"acts", p.acts},
                                {"text", p.text.empty() ? Json(nullptr) : Json(p.text)}});
    for (const char* tool : {"torch", "numpy", "polygraphy"}) out["snippets"][tool] = snippet(a, tool);
    out["draws"] = a.draws;
    out["widening"] = number(a.widening);
    out["notes"] = a.notes;
    out["seconds"] = number(a.seconds);
    return out;
}

} // namespace divdet
