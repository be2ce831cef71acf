#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "report/svg/frame.h"
#include "report/svg/plots.h"

namespace divdet::svg {
namespace {

/// Bin i >= 1 holds 2^(i-1) … 2^i - 1.
std::string binName(std::size_t i) {
    if (i < 2) return std::to_string(i);
    if (i > 14) return "2^" + std::to_string(i - 1);
    return countText(std::int64_t{1} << (i - 1));
}

} // namespace

std::optional<std::string> ulpPlot(const TapPair& pair) {
    const Summary& s = *pair.summary;
    if (!s.maxUlp) return std::nullopt;
    std::size_t last = 0;
    std::int64_t most = 1;
    for (std::size_t i = 0; i < s.ulpHistogram.size(); ++i)
        if (s.ulpHistogram[i] > 0) last = i, most = std::max(most, s.ulpHistogram[i]);
    const std::size_t bars = std::max<std::size_t>(last + 1, 4);

    const Frame frame;
    const Axis x = frame.xAxis(Axis::Kind::linear, 0, static_cast<double>(bars)),
               y = frame.yAxis(Axis::Kind::log, 0.5, static_cast<double>(most) * 1.5);
    Canvas canvas(
        frame.width, frame.height, fmt::format("Distance in ulps: {}", pair.name),
        fmt::format("Number of elements by units in the last place between candidate and reference; "
                    "the largest is {}",
                    shortNumber(*s.maxUlp)));
    canvas.rect(frame.x0(), frame.y1(), frame.x1() - frame.x0(), frame.y0() - frame.y1(), "ground");
    for (const auto& t : y.ticks()) {
        canvas.line(frame.x0(), y(t.value), frame.x1(), y(t.value), "grid");
        canvas.line(frame.x0() - 4, y(t.value), frame.x0(), y(t.value), "axis");
        canvas.text(frame.x0() - 7, y(t.value) + 4,
                    countText(static_cast<std::int64_t>(std::lround(t.value))), "tick", Anchor::end);
    }
    std::vector<Canvas::Box> boxes;
    for (std::size_t i = 0; i < bars; ++i) {
        const auto n = static_cast<double>(s.ulpHistogram[i]);
        if (n > 0) {
            const double left = x(static_cast<double>(i)), right = x(static_cast<double>(i) + 1);
            boxes.push_back({left + 1, y(n), right - left - 2, frame.y0() - y(n)});
        }
    }
    canvas.boxes(boxes, "bar");
    const std::size_t every = (bars + 9) / 10;
    for (std::size_t i = 0; i < bars; i += every)
        canvas.text(x(static_cast<double>(i) + 0.5), frame.y0() + 16, binName(i), "tick", Anchor::middle);
    canvas.line(frame.x0(), frame.y0(), frame.x1(), frame.y0(), "axis");
    canvas.line(frame.x0(), frame.y0(), frame.x0(), frame.y1(), "axis");
    canvas.text(frame.x0(), 18, "Distance in ulps", "head");
    canvas.text((frame.x0() + frame.x1()) / 2, frame.y0() + 33,
                "ulps, from this number up to the next (0: equal)", "name", Anchor::middle);
    canvas.text(15, (frame.y0() + frame.y1()) / 2, "elements", "name", Anchor::middle, true);
    drawLegend(canvas, frame,
               {{LegendEntry::Mark::box, "bar",
                 fmt::format("elements; the largest distance is {}{}", shortNumber(*s.maxUlp),
                             s.ulpSignFlips ? ", across zero" : "")}});
    return std::move(canvas).finish();
}

} // namespace divdet::svg
