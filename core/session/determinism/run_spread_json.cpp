#include "session/determinism/run_spread_json.h"

#include "report/version.h"

namespace divdet {

Json toJson(const TapOfRuns& t) {
    Json out{{"name", t.name},       {"dtype", name(t.dtype)}, {"shape", t.shape},
             {"bit_equal", nullptr}, {"elements", nullptr},    {"varying", nullptr},
             {"variants", nullptr},  {"first", nullptr},       {"max_abs", nullptr},
             {"max_ulp", nullptr},   {"nonfinite", nullptr},   {"error", toJson(t.error)}};
    if (!t.spread) return out;
    const TapSpread& s = *t.spread;
    out["bit_equal"] = s.bitEqual();
    out["elements"] = s.elements;
    out["varying"] = s.varying;
    out["variants"] = s.variants;
    out["first"] = position(s.firstVarying, t.shape);
    out["max_abs"] = {{"value", number(s.maxAbs.value)}, {"index", position(s.maxAbs.index, t.shape)}};
    out["max_ulp"] = count(s.maxUlp);
    out["nonfinite"] = s.nonFinite;
    return out;
}

std::string_view verdictOf(const RunSpread& s) {
    return s.varying > 0 ? "varies" : s.whole() ? "same-bits" : "incomplete";
}

Json toJson(const RunSpread& s) {
    Json runs = Json::array(), taps = Json::array();
    for (std::size_t i = 0; i < s.runs.size(); ++i)
        runs.push_back({{"file", s.runs[i].string()},
                        {"missing", i < s.missing.size() ? Json(s.missing[i]) : Json::array()}});
    for (const auto& t : s.taps) taps.push_back(toJson(t));
    return {{"tool", "divdet"},
            {"version", version()},
            {"schema", 1},
            {"command", "determinism"},
            {"verdict", verdictOf(s)},
            {"first_varying", s.firstVarying ? Json(s.taps[*s.firstVarying].name) : Json(nullptr)},
            {"counts",
             {{"taps", s.taps.size()},
              {"bit_equal", s.equal},
              {"varying", s.varying},
              {"not_compared", s.notCompared}}},
            {"runs", runs},
            {"taps", taps},
            {"seconds", s.seconds}};
}

} // namespace divdet
