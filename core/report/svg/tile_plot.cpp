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
constexpr int kMostCells = 64; ///< per axis of the picture

struct Folded {
    int rows = 0, columns = 0, perRow = 1, perColumn = 1; ///< tiles of the map in a cell
    std::vector<float> max;
};

Folded fold(const TileMap& t) {
    Folded f;
    f.perRow = (t.rows + kMostCells - 1) / kMostCells;
    f.perColumn = (t.columns + kMostCells - 1) / kMostCells;
    f.rows = (t.rows + f.perRow - 1) / f.perRow;
    f.columns = (t.columns + f.perColumn - 1) / f.perColumn;
    f.max.resize(static_cast<std::size_t>(f.rows) * static_cast<std::size_t>(f.columns));
    for (int r = 0; r < t.rows; ++r)
        for (int c = 0; c < t.columns; ++c) {
            const float e = t.maxAbs[static_cast<std::size_t>(r) * static_cast<std::size_t>(t.columns) +
                                     static_cast<std::size_t>(c)];
            float& to = f.max[static_cast<std::size_t>(r / f.perRow) * static_cast<std::size_t>(f.columns) +
                              static_cast<std::size_t>(c / f.perColumn)];
            to = std::isnan(e) ? INFINITY : std::max(to, e);
        }
    return f;
}

} // namespace

std::optional<std::string> tilePlot(const TapPair& pair) {
    const TileMap& t = pair.summary->tiles;
    if (t.rows < 1 || t.columns < 1 || t.maxAbs.empty()) return std::nullopt;
    const Folded f = fold(t);
    float low = INFINITY, high = 0;
    for (float e : f.max)
        if (e > 0 && std::isfinite(e)) low = std::min(low, e), high = std::max(high, e);
    const bool any = high > 0;
    // A few tiny tiles must not take the colours from the rest.
    if (any) low = std::max(low, high * 1e-6f);

    const Frame frame;
    const auto& shape = pair.referenceShape;
    const double height = shape.size() > 1 ? static_cast<double>(shape[shape.size() - 2]) : 1;
    const double width = shape.empty() ? 1 : static_cast<double>(shape.back());
    const Axis x = frame.xAxis(Axis::Kind::whole, 0, width);
    const Axis y = Axis(Axis::Kind::whole, 0, height, frame.y1(), frame.y0()); // first row on top
    std::array<std::vector<Canvas::Box>, kLevels> levels;
    std::vector<Canvas::Box> broken;
    for (int r = 0; r < f.rows; ++r)
        for (int c = 0; c < f.columns; ++c) {
            const float e = f.max[static_cast<std::size_t>(r) * static_cast<std::size_t>(f.columns) +
                                  static_cast<std::size_t>(c)];
            if (e == 0) continue;
            const auto tileRow = static_cast<double>(t.rowsPerTile) * f.perRow,
                       tileColumn = static_cast<double>(t.columnsPerTile) * f.perColumn;
            const double left = x(c * tileColumn), right = x((c + 1) * tileColumn), top = y(r * tileRow),
                         bottom = y((r + 1) * tileRow);
            const Canvas::Box box{left, top, right - left, bottom - top};
            if (!std::isfinite(e)) {
                broken.push_back(box);
                continue;
            }
            const double share = high > low ? std::log(std::max(e, low) / low) / std::log(high / low) : 1;
            levels[static_cast<std::size_t>(std::clamp(static_cast<int>(share * kLevels), 0, kLevels - 1))]
                .push_back(box);
        }
    Canvas canvas(
        frame.width, frame.height, fmt::format("Where the error is: {}", pair.name),
        fmt::format("Largest error per tile over the last two dimensions; up to {}", shortNumber(high)));
    canvas.rect(frame.x0(), frame.y1(), frame.x1() - frame.x0(), frame.y0() - frame.y1(), "ground");
    for (int i = 0; i < kLevels; ++i)
        canvas.boxes(levels[static_cast<std::size_t>(i)], fmt::format("density d{}", i + 1));
    canvas.boxes(broken, "broken");
    if (!any && broken.empty())
        canvas.text((frame.x0() + frame.x1()) / 2, (frame.y0() + frame.y1()) / 2, "no element differs",
                    "name", Anchor::middle);
    drawAxes(canvas, frame, x, y,
             shape.size() > 2 ? "Where the error is (other dimensions: the largest)" : "Where the error is",
             "index in the last dimension", shape.size() > 1 ? "index in the dimension before" : "(one row)");
    std::vector<LegendEntry> legend;
    if (any)
        legend = {{LegendEntry::Mark::box, "density d1", shortNumber(low) + (low < high ? " or less" : "")},
                  {LegendEntry::Mark::box, "density d8", shortNumber(high) + " (largest error)"}};
    legend.push_back({LegendEntry::Mark::box, "ground", "no error"});
    if (!broken.empty()) legend.push_back({LegendEntry::Mark::box, "broken", "nan or inf"});
    drawLegend(canvas, frame, legend);
    return std::move(canvas).finish();
}

} // namespace divdet::svg
