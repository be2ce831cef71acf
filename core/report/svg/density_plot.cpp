#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "report/svg/frame.h"
#include "report/svg/plots.h"

namespace divdet::svg {
namespace {

constexpr int kLevels = 8;
using Histogram = ErrorHistogram;

/// The bins that hold something, zeros apart, as ranges of values that a log axis can show.
struct Extent {
    int firstColumn = Histogram::kColumns, lastColumn = 0, firstRow = Histogram::kRows, lastRow = 0;
    std::int64_t most = 0, noError = 0, zeroReference = 0;
};

Extent extentOf(const Histogram& h) {
    Extent e;
    for (int row = 0; row < Histogram::kRows; ++row)
        for (int column = 0; column < Histogram::kColumns; ++column) {
            const auto n = h.count(column, row);
            if (n == 0) continue;
            if (row == 0) e.noError += n;
            if (row != 0 && column == 0) e.zeroReference += n;
            if (row == 0 || column == 0) continue;
            e.firstColumn = std::min(e.firstColumn, column), e.lastColumn = std::max(e.lastColumn, column);
            e.firstRow = std::min(e.firstRow, row), e.lastRow = std::max(e.lastRow, row);
            e.most = std::max(e.most, n);
        }
    return e;
}

/// Ends of a bin; those that are open get the width of an octave.
std::pair<double, double> closed(std::pair<double, double> bin) {
    if (std::isinf(bin.second)) bin.second = bin.first * 2;
    if (bin.first < bin.second * 0x1p-8) bin.first = bin.second / 2;
    return bin;
}

void drawBins(Canvas& canvas, const Histogram& h, const Extent& e, const Axis& x, const Axis& y) {
    std::array<std::vector<Canvas::Box>, kLevels> levels;
    const double most = std::log1p(static_cast<double>(e.most));
    for (int row = e.firstRow; row <= e.lastRow; ++row)
        for (int column = e.firstColumn; column <= e.lastColumn; ++column) {
            const auto n = h.count(column, row);
            if (n == 0) continue;
            const auto [m0, m1] = closed(Histogram::columnRange(column));
            const auto [e0, e1] = closed(Histogram::rowRange(row));
            const double share = std::log1p(static_cast<double>(n)) / most;
            const auto level = std::clamp(static_cast<int>(share * kLevels), 0, kLevels - 1);
            levels[static_cast<std::size_t>(level)].push_back({x(m0), y(e1), x(m1) - x(m0), y(e0) - y(e1)});
        }
    for (int i = 0; i < kLevels; ++i)
        canvas.boxes(levels[static_cast<std::size_t>(i)], fmt::format("density d{}", i + 1));
}

/// The largest error that passes, along |reference|.
void drawBound(Canvas& canvas, const Axis& x, const Axis& y, const Tolerance& t, const char* style) {
    Points points;
    for (int i = 0; i <= 120; ++i) {
        const double m = x.low() * std::pow(x.high() / x.low(), i / 120.0), e = bound(t, m);
        points.emplace_back(y.holds(e) ? x(m) : std::nan(""), y(e));
    }
    canvas.polyline(points, style);
}

} // namespace

std::string densityPlot(const TapPair& pair, const Tolerance& t) {
    const Frame frame;
    const Histogram& h = pair.summary->histogram;
    const Extent e = extentOf(h);
    const bool any = e.most > 0;
    double xLow = 1e-3, xHigh = 1, yLow = 1e-9, yHigh = 1e-3;
    if (any) {
        xLow = closed(Histogram::columnRange(e.firstColumn)).first;
        xHigh = closed(Histogram::columnRange(e.lastColumn)).second;
        yLow = closed(Histogram::rowRange(e.firstRow)).first;
        yHigh = closed(Histogram::rowRange(e.lastRow)).second;
    }
    // Room for the bound, but not so much that the elements become a speck.
    const Tolerance sum{Rule::allclose, t.rtol, t.atol, false}, either{Rule::either, t.rtol, t.atol, false};
    if (const double low = bound(either, xLow); low > 0)
        yLow = std::min(yLow, std::max(low / 2, yLow * 1e-3));
    if (const double high = bound(sum, xHigh); high > 0)
        yHigh = std::max(yHigh, std::min(high * 2, yHigh * 1e3));
    const Axis x = frame.xAxis(Axis::Kind::log, xLow, xHigh), y = frame.yAxis(Axis::Kind::log, yLow, yHigh);

    const std::string rest = fmt::format(
        "{} without error{}", countText(e.noError),
        e.zeroReference ? fmt::format(", {} with a zero reference", countText(e.zeroReference)) : "");
    Canvas canvas(
        frame.width, frame.height, fmt::format("Errors by size of the reference: {}", pair.name),
        fmt::format("Number of elements over the size of the reference and of the error, log scales; "
                    "the lines are the largest errors that pass. Not drawn: {}",
                    rest));
    drawGrid(canvas, frame, x, y);
    if (any)
        drawBins(canvas, h, e, x, y);
    else
        canvas.text((frame.x0() + frame.x1()) / 2, (frame.y0() + frame.y1()) / 2,
                    e.zeroReference ? "only zero references differ" : "no finite error", "name",
                    Anchor::middle);
    drawBound(canvas, x, y, either, "boundEither");
    drawBound(canvas, x, y, sum, "bound");
    drawAxes(canvas, frame, x, y, "Errors by size of the reference", "|reference| (unit of the tensor)",
             "|candidate - reference|");
    canvas.text(frame.x1(), 18, "not drawn: " + rest, "tick", Anchor::end);
    std::vector<LegendEntry> legend{{LegendEntry::Mark::line, "bound", "bound: allclose"},
                                    {LegendEntry::Mark::line, "boundEither", "either"}};
    if (any) {
        legend.push_back({LegendEntry::Mark::box, "density d1", "1 element"});
        legend.push_back({LegendEntry::Mark::box, "density d8", countText(e.most)});
    }
    drawLegend(canvas, frame, legend);
    return std::move(canvas).finish();
}

} // namespace divdet::svg
