#pragma once
#include "report/svg/axis.h"
#include "report/svg/canvas.h"

namespace divdet::svg {

/// The box that all plots of the report share.
struct Frame {
    double width = 480, height = 340;
    double left = 66, right = 16, top = 30, bottom = 62;

    double x0() const { return left; }
    double x1() const { return width - right; }
    double y0() const { return height - bottom; } ///< of the lower edge
    double y1() const { return top; }
    Axis xAxis(Axis::Kind kind, double low, double high) const { return {kind, low, high, x0(), x1()}; }
    Axis yAxis(Axis::Kind kind, double low, double high) const { return {kind, low, high, y0(), y1()}; }
};

void drawGrid(Canvas& canvas, const Frame& frame, const Axis& x, const Axis& y);
/// Edges, tick labels, the names of both axes with their units, and the head line.
void drawAxes(Canvas& canvas, const Frame& frame, const Axis& x, const Axis& y, std::string_view head,
              std::string_view xName, std::string_view yName);

/// Entries under the plot: a mark of that style and a word. `line`, `dot` or `box`.
struct LegendEntry {
    enum class Mark { line, dot, box } mark;
    std::string style, text;
};
void drawLegend(Canvas& canvas, const Frame& frame, const std::vector<LegendEntry>& entries);

} // namespace divdet::svg
