#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "report/svg/frame.h"
#include "report/svg/plots.h"

namespace divdet::svg {
namespace {

constexpr int kSamples = 160;

/// Smallest atol at an rtol, to the precision of a picture: from the kept points, without the exact search.
double atolAt(const Frontier& f, Rule rule, double rtol) {
    double need = 0;
    if (rule == Rule::either) {
        for (const auto& p : f.stairs())
            if (p.error > rtol * p.magnitude) need = std::max(need, p.error);
    } else {
        for (const auto& p : f.hull()) need = std::max(need, p.error - rtol * p.magnitude);
    }
    return need;
}

struct Range {
    double low = 1e-9, high = 1;
    void take(double x) {
        if (!(x > 0) || !std::isfinite(x)) return;
        low = std::min(low, x);
        high = std::max(high, x);
    }
    double from() const { return std::pow(10.0, std::floor(std::log10(std::max(low, 1e-30)))); }
    double to() const { return std::pow(10.0, std::ceil(std::log10(std::min(high, 1e30)))); }
};

} // namespace

std::string frontierPlot(const TapPair& pair, const Tolerance& t) {
    const Frame frame;
    const Summary& s = *pair.summary;
    const Rule rule = t.rule == Rule::either ? Rule::either : Rule::allclose;
    const bool never = s.neverPass(t.equalNan) > 0;
    Range rx, ry;
    const double most = atolAt(s.frontier, rule, 0);
    double lastRtol = 0;
    for (const auto& p : s.frontier.stairs()) lastRtol = std::max(lastRtol, p.error / p.magnitude);
    rx.low = std::isfinite(lastRtol) && lastRtol > 0 ? std::min(1e-7, lastRtol / 1e3) : 1e-7;
    ry.low = most > 0 ? std::min(1e-9, most / 1e3) : 1e-9;
    rx.take(std::min(lastRtol * 10, 1e6)), rx.take(t.rtol), ry.take(most * 10), ry.take(t.atol);
    const Axis x = frame.xAxis(Axis::Kind::log, rx.from(), rx.to()),
               y = frame.yAxis(Axis::Kind::log, ry.from(), ry.to());

    Canvas canvas(frame.width, frame.height, fmt::format("Tolerances that pass: {}", pair.name),
                  never ? std::string("No tolerance passes: an element is nan or inf on one side only")
                        : fmt::format("rtol against atol, log scales. At rtol {} it needs atol {}; the "
                                      "tolerance in use is rtol {}, atol {}",
                                      toleranceText(t.rtol), shortNumber(atolAt(s.frontier, rule, t.rtol)),
                                      toleranceText(t.rtol), toleranceText(t.atol)));
    drawGrid(canvas, frame, x, y);
    if (never) {
        canvas.rect(frame.x0(), frame.y1(), frame.x1() - frame.x0(), frame.y0() - frame.y1(), "outsideArea");
    } else {
        Points curve;
        for (int i = 0; i <= kSamples; ++i) {
            const double rtol = x.low() * std::pow(x.high() / x.low(), static_cast<double>(i) / kSamples);
            curve.emplace_back(x(rtol), y(atolAt(s.frontier, rule, rtol)));
        }
        Points below = curve, above = curve;
        below.insert(below.end(), {{frame.x1(), frame.y0()}, {frame.x0(), frame.y0()}});
        above.insert(above.end(), {{frame.x1(), frame.y1()}, {frame.x0(), frame.y1()}});
        canvas.polygon(below, "outsideArea");
        canvas.polygon(above, "withinArea");
        canvas.polyline(curve, "curve");
        canvas.text(frame.x1() - 8, frame.y1() + 16, "within: this tolerance passes", "withinWord",
                    Anchor::end);
    }
    canvas.text(frame.x0() + 8, frame.y0() - 8, never ? "no tolerance passes" : "outside", "outsideWord");
    drawAxes(canvas, frame, x, y, "Tolerances that pass", "rtol (relative, no unit)",
             "atol (unit of the tensor)");
    for (const char* id : {"bf16", "fp32"})
        if (const auto* p = findPreset(id); x.holds(p->rtol) && y.holds(p->atol)) {
            canvas.circle(x(p->rtol), y(p->atol), 3, "preset");
            canvas.text(x(p->rtol) + 6, y(p->atol) - 6, id, "tick");
        }
    canvas.circle(x(t.rtol), y(t.atol), 5, "chosen",
                  fmt::format("rtol {}, atol {}", toleranceText(t.rtol), toleranceText(t.atol)));
    drawLegend(canvas, frame,
               {{LegendEntry::Mark::line, "curve", "just passes"},
                {LegendEntry::Mark::dot, "chosen",
                 fmt::format("rtol {}, atol {}", toleranceText(t.rtol), toleranceText(t.atol))},
                {LegendEntry::Mark::dot, "preset", "preset"}});
    return std::move(canvas).finish();
}

} // namespace divdet::svg
