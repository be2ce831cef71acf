#include "report/svg/frame.h"

namespace divdet::svg {

void drawGrid(Canvas& canvas, const Frame& frame, const Axis& x, const Axis& y) {
    canvas.rect(frame.x0(), frame.y1(), frame.x1() - frame.x0(), frame.y0() - frame.y1(), "ground");
    for (const auto& t : x.ticks()) canvas.line(x(t.value), frame.y0(), x(t.value), frame.y1(), "grid");
    for (const auto& t : y.ticks()) canvas.line(frame.x0(), y(t.value), frame.x1(), y(t.value), "grid");
}

void drawAxes(Canvas& canvas, const Frame& frame, const Axis& x, const Axis& y, std::string_view head,
              std::string_view xName, std::string_view yName) {
    canvas.line(frame.x0(), frame.y0(), frame.x1(), frame.y0(), "axis");
    canvas.line(frame.x0(), frame.y0(), frame.x0(), frame.y1(), "axis");
    for (const auto& t : x.ticks()) {
        canvas.line(x(t.value), frame.y0(), x(t.value), frame.y0() + 4, "axis");
        canvas.text(x(t.value), frame.y0() + 16, t.label, "tick", Anchor::middle);
    }
    for (const auto& t : y.ticks()) {
        canvas.line(frame.x0() - 4, y(t.value), frame.x0(), y(t.value), "axis");
        canvas.text(frame.x0() - 7, y(t.value) + 4, t.label, "tick", Anchor::end);
    }
    canvas.text(frame.x0(), 18, head, "head");
    canvas.text((frame.x0() + frame.x1()) / 2, frame.y0() + 33, xName, "name", Anchor::middle);
    canvas.text(15, (frame.y0() + frame.y1()) / 2, yName, "name", Anchor::middle, true);
}

void drawLegend(Canvas& canvas, const Frame& frame, const std::vector<LegendEntry>& entries) {
    double x = frame.x0();
    const double y = frame.height - 8;
    for (const auto& e : entries) {
        switch (e.mark) {
        case LegendEntry::Mark::line:
            canvas.line(x, y - 4, x + 16, y - 4, e.style);
            break;
        case LegendEntry::Mark::dot:
            canvas.circle(x + 8, y - 4, 4, e.style);
            break;
        case LegendEntry::Mark::box:
            canvas.rect(x + 2, y - 9, 12, 10, e.style);
            break;
        }
        canvas.text(x + 21, y, e.text, "tick");
        x += 21 + 6.4 * static_cast<double>(e.text.size()) + 14;
    }
}

} // namespace divdet::svg
