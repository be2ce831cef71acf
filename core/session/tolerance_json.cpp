#include "session/tolerance_json.h"

#include "report/version.h"

namespace divdet {
namespace {

Json pairJson(const ToleranceAnswer& a) {
    return {{"rtol", number(a.rtol)}, {"atol", number(a.atol)}};
}

Json list(const std::vector<ToleranceAnswer>& answers) {
    Json out = Json::array();
    for (const auto& a : answers) out.push_back(pairJson(a));
    return out;
}

} // namespace

Json toJson(const ToleranceReport& r, const Comparison& c) {
    Json presets = Json::array(), tensors = Json::array();
    for (const auto& p : r.presets)
        presets.push_back({{"id", p.id},
                           {"rule", toString(p.rule)},
                           {"rtol", p.tolerance.rtol},
                           {"atol", p.tolerance.atol},
                           {"verdict", toString(p.verdict)}});
    for (const auto& pair : c.pairs) {
        Json curve = Json::array();
        if (pair.summary && !pair.summary->neverPass(r.equalNan))
            for (const auto& [rtol, atol] : pair.summary->frontier.corners(r.rule))
                curve.push_back({number(rtol), number(atol)});
        const Tolerance t{r.rule, 0, 0, r.equalNan};
        tensors.push_back(
            {{"name", pair.name},
             {"judged", pair.judged},
             {"rtol_linked", pair.summary ? number(pair.summary->neededRtolLinked(t)) : Json(nullptr)},
             {"frontier", curve},
             {"error", toJson(pair.problem)}});
    }
    return {{"tool", "divdet"},
            {"version", version()},
            {"schema", 1},
            {"command", "tolerance"},
            {"reference", c.referenceName},
            {"candidate", c.candidateName},
            {"rule", toString(r.rule)},
            {"equal_nan", r.equalNan},
            {"rtol_at_atol", list(r.rtolAtAtol)},
            {"atol_at_rtol", list(r.atolAtRtol)},
            {"presets", presets},
            {"tightest", r.tightest ? pairJson(*r.tightest) : Json(nullptr)},
            {"loosest", r.loosest ? pairJson(*r.loosest) : Json(nullptr)},
            {"tensors", tensors}};
}

} // namespace divdet
