#include "session/sane/sane_json.h"

namespace divdet {
namespace {

const char* text(SaneWindow::State state) {
    switch (state) {
    case SaneWindow::State::open:
        return "open";
    case SaneWindow::State::noHonestRun:
        return "no-honest-run";
    case SaneWindow::State::noFault:
        return "no-bug";
    case SaneWindow::State::honestFails:
        return "honest-run-never-passes";
    case SaneWindow::State::nothingTested:
        return "nothing-tested";
    case SaneWindow::State::closed:
        return "none";
    }
    return "none";
}

Json pairJson(const TolerancePair& p) {
    return {{"rtol", number(p.rtol)}, {"atol", number(p.atol)}};
}

Json faultJson(const SaneRun& run, const FaultWindow& f) {
    Json out{{"bug", nameOf(run)},
             {"rtol_linked", number(f.needs)},
             {"separation", toString(f.separation)},
             {"witness", nullptr}};
    if (f.witness) {
        out["witness"] = pairJson(*f.witness);
        out["witness"]["needs_atol"] = number(f.faultAtol);
        out["witness"]["honest_needs_atol"] = number(f.honestAtol);
    }
    return out;
}

Json lineJson(const SaneRuns& runs, const SaneScope& scope, const SaneLine& line) {
    return {{"rtol", number(line.middle.rtol)},
            {"atol", number(line.middle.atol)},
            {"caught", line.caught},
            {"rtol_low", number(line.low)},
            {"rtol_high", number(line.high)},
            {"atol_scale", number(line.scale)},
            {"bound", line.bound ? Json(nameOf(runs.runs[scope.faults[*line.bound]])) : Json()}};
}

Json scopeJson(const SaneRuns& runs, const SaneScope& scope) {
    const SaneWindow& w = scope.window;
    Json honest = Json::array(), faults = Json::array();
    for (const std::size_t i : scope.honest) honest.push_back(nameOf(runs.runs[i]));
    for (std::size_t i = 0; i < scope.faults.size(); ++i)
        faults.push_back(faultJson(runs.runs[scope.faults[i]], w.faults[i]));
    return {{"state", text(w.state)},
            {"honest", honest},
            {"honest_needs", number(w.honestNeeds)},
            {"honest_most", w.honestMost ? Json(nameOf(runs.runs[scope.honest[*w.honestMost]])) : Json()},
            {"recommended", w.best ? lineJson(runs, scope, *w.best) : Json(nullptr)},
            {"on_linked_path", w.path ? lineJson(runs, scope, *w.path) : Json(nullptr)},
            {"bugs", faults}};
}

} // namespace

Json toJson(const SaneRuns& runs, const SaneTolerance& sane) {
    Json list = Json::array();
    for (const SaneRun& run : runs.runs)
        list.push_back({{"passes", nameOf(run)},
                        {"kind", run.kind == SaneKind::fault   ? "bug"
                                 : run.kind == SaneKind::drift ? "drift"
                                                               : "together"},
                        {"on", run.on},
                        {"rtol_linked", number(neededRtolLinked(*run.comparison, sane.rule))}});
    return {{"rule", toString(sane.rule.rule)},
            {"runs", list},
            {"notes", runs.notes},
            {"every_drift", scopeJson(runs, sane.every)},
            {"drift_on", sane.on ? scopeJson(runs, *sane.on) : Json(nullptr)}};
}

} // namespace divdet
