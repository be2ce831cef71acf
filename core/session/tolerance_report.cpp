#include "session/tolerance_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"

namespace divdet {
namespace {

bool vacuousOnAny(const Comparison& c, const Tolerance& t) {
    return std::any_of(c.pairs.begin(), c.pairs.end(),
                       [&](const auto& p) { return p.judged && p.summary && vacuous(*p.summary, t); });
}

/// Largest rtol on the linked path that says something about every judged pair.
std::optional<ToleranceAnswer> loosestOf(const Comparison& c, Rule rule, bool equalNan) {
    double low = 1e-12, high = 1.0;
    const auto says = [&](double rtol) { return !vacuousOnAny(c, {rule, rtol, linkedAtol(rtol), equalNan}); };
    if (!says(low)) return std::nullopt;
    if (says(high)) return ToleranceAnswer{high, linkedAtol(high)};
    for (int i = 0; i < 60; ++i) {
        const double mid = std::sqrt(low * high);
        (says(mid) ? low : high) = mid;
    }
    return ToleranceAnswer{low, linkedAtol(low)};
}

} // namespace

ToleranceReport reportTolerances(const Comparison& c, Rule rule, bool equalNan) {
    ToleranceReport out;
    out.rule = rule;
    out.equalNan = equalNan;
    std::vector<double> atols{0}, rtols{0};
    for (int e = -9; e <= -1; ++e) atols.push_back(std::stod("1e" + std::to_string(e)));
    for (int e = -7; e <= -1; ++e) rtols.push_back(std::stod("1e" + std::to_string(e)));
    for (double atol : atols) out.rtolAtAtol.push_back({neededRtol(c, {rule, 0, atol, equalNan}), atol});
    for (double rtol : rtols) out.atolAtRtol.push_back({rtol, neededAtol(c, {rule, rtol, 0, equalNan})});
    for (const auto& p : tolerancePresets()) {
        const Tolerance t{p.rule, p.rtol, p.atol, equalNan};
        out.presets.push_back({std::string(p.id), {p.rtol, p.atol}, p.rule, judge(c, t).verdict});
    }
    if (const double rtol = neededRtolLinked(c, {rule, 0, 0, equalNan}); std::isfinite(rtol))
        out.tightest = ToleranceAnswer{rtol, linkedAtol(rtol)};
    out.loosest = loosestOf(c, rule, equalNan);
    return out;
}

std::string sensibleText(const ToleranceReport& r) {
    std::string out;
    if (!r.tightest)
        out = "no tolerance passes: some element is nan or inf on one side only";
    else if (r.tightest->rtol == 0)
        out = "tightest that passes: rtol 0 atol 0 (the judged taps are equal)";
    else
        out = fmt::format("tightest that passes: rtol {} atol {} (on the path through the presets)",
                          shortNumber(r.tightest->rtol), shortNumber(r.tightest->atol));
    if (r.loosest)
        out += fmt::format(
            "\nloosest that still tests something: rtol {} atol {} (beyond it a tensor of zeros would pass)",
            shortNumber(r.loosest->rtol), shortNumber(r.loosest->atol));
    if (r.tightest && r.loosest && r.tightest->rtol > r.loosest->rtol)
        out += "\nthe two cross: no tolerance both passes and tests something";
    return out;
}

} // namespace divdet
