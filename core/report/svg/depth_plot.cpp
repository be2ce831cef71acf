#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "report/svg/frame.h"
#include "report/svg/plots.h"

namespace divdet::svg {
namespace {

double relativeRms(const Summary& s) {
    return s.rmsReference > 0 ? s.rms / s.rmsReference : std::nan("");
}

} // namespace

std::optional<std::string> depthPlot(const Comparison& c, const Judgement& j) {
    const std::size_t n = c.pairs.size();
    if (n < 2) return std::nullopt;
    double low = 1e-2, high = 1e-6;
    bool any = false;
    const auto take = [&](double v) {
        if (!(v > 0) || !std::isfinite(v)) return;
        low = any ? std::min(low, v) : v;
        high = any ? std::max(high, v) : v;
        any = true;
    };
    for (const auto& p : c.pairs)
        if (p.summary) take(relativeRms(*p.summary)), take(p.summary->neededRtolLinked(j.tolerance));
    Frame frame;
    frame.width = 976;
    const Axis x = frame.xAxis(Axis::Kind::whole, 0.5, static_cast<double>(n) + 0.5);
    const Axis y = frame.yAxis(Axis::Kind::log, std::max(low, high * 1e-12) / 2, high * 2);
    Canvas canvas(
        frame.width, frame.height, "Error along depth",
        fmt::format("Relative rms error and needed rtol of {} pairs in their order, log scale; those "
                    "without error stand at the lower edge",
                    countText(static_cast<std::int64_t>(n))));
    canvas.rect(frame.x0(), frame.y1(), frame.x1() - frame.x0(), frame.y0() - frame.y1(), "ground");
    for (const auto& t : y.ticks()) canvas.line(frame.x0(), y(t.value), frame.x1(), y(t.value), "grid");
    Points rms, need;
    for (std::size_t i = 0; i < n; ++i) {
        const double at = x(static_cast<double>(i + 1));
        const Summary* s = c.pairs[i].summary.get();
        rms.emplace_back(at, s ? y(relativeRms(*s)) : std::nan(""));
        need.emplace_back(at, s ? y(s->neededRtolLinked(j.tolerance)) : std::nan(""));
    }
    canvas.polyline(rms, "curve2");
    canvas.polyline(need, "curve");
    const double radius = n > 120 ? 2 : 4;
    for (std::size_t i = 0; i < n; ++i) {
        const TapPair& p = c.pairs[i];
        const bool over = j.taps[i].over || j.taps[i].verdict == Verdict::outside;
        if (!p.summary) {
            canvas.text(need[i].first, frame.y0() - 4, "?", "outsideWord", Anchor::middle);
            continue;
        }
        canvas.circle(need[i].first, need[i].second, radius, over ? "outsideDot" : "withinDot",
                      fmt::format("{}: {}, needs rtol {}, relative rms error {}", p.name,
                                  toString(j.taps[i].verdict),
                                  shortNumber(p.summary->neededRtolLinked(j.tolerance)),
                                  shortNumber(relativeRms(*p.summary))));
    }
    drawAxes(canvas, frame, x, y, "Error along depth", "pair, in depth order", "needed rtol, relative rms");
    drawLegend(canvas, frame,
               {{LegendEntry::Mark::dot, "withinDot", "needed rtol: within"},
                {LegendEntry::Mark::dot, "outsideDot", "over the tolerance"},
                {LegendEntry::Mark::line, "curve2", "rms error / rms of the reference"}});
    return std::move(canvas).finish();
}

} // namespace divdet::svg
