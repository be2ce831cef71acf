#include "plots/map_image.h"

#include <algorithm>
#include <cmath>

#include "gui/theme.h"
#include "plots/density_ramp.h"

namespace divdet {
namespace {

constexpr double kBelowScale = 0.02; ///< of the cells
constexpr double kMostDecades = 8, kLeastDecades = 0.5;
constexpr int kShades = 256;

} // namespace

MapScale mapScale(const ErrorMap& map) {
    std::vector<double> values;
    for (const double value : map.value)
        if (value > 0 && std::isfinite(value)) values.push_back(value);
    // An infinite quotient may hide the finite ones of its cell, so `largest` alone says too little.
    if (values.empty()) return {};
    MapScale out;
    out.empty = false;
    out.high = std::log10(map.largest);
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(kBelowScale * static_cast<double>(values.size()));
    std::nth_element(values.begin(), at, values.end());
    out.low = std::log10(*at);
    if (map.measure == MapMeasure::bound)
        out.high = std::max(out.high, 0.2), out.low = std::min(out.low, -0.2);
    out.low = std::clamp(out.low, out.high - kMostDecades, out.high - kLeastDecades);
    return out;
}

double mapPlace(const MapScale& scale, double value) {
    if (!(value > 0) || scale.empty) return value > 0 ? 1 : 0;
    return std::clamp((std::log10(value) - scale.low) / (scale.high - scale.low), 0.0, 1.0);
}

QImage mapImage(const ErrorMap& map, const MapScale& scale) {
    QImage image(std::max(1, map.columns), std::max(1, map.rows), QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    QRgb shades[kShades];
    for (int i = 0; i < kShades; ++i) shades[i] = rampColor(heatRamp(), i / (kShades - 1.0)).rgb();
    const QRgb nan = color(Token::outsideSolid).rgb(), inf = color(Token::incompSolid).rgb();
    for (int row = 0; row < map.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < map.columns; ++column) {
            const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) +
                              static_cast<std::size_t>(column);
            if (map.element[cell] < 0) continue;
            const double place = mapPlace(scale, map.value[cell]);
            line[column] = map.state[cell] == ErrorMap::notANumber ? nan
                           : map.state[cell] == ErrorMap::infinite
                               ? inf
                               : shades[static_cast<int>(std::lround(place * (kShades - 1)))];
        }
    }
    return image;
}

ErrorMap coarser(const ErrorMap& map, int rowFactor, int columnFactor) {
    ErrorMap out = map;
    out.rows = (map.rows + rowFactor - 1) / rowFactor;
    out.columns = (map.columns + columnFactor - 1) / columnFactor;
    out.rowsPerCell *= rowFactor, out.columnsPerCell *= columnFactor;
    const auto cells = static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.columns);
    out.value.assign(cells, 0);
    out.state.assign(cells, 0);
    out.element.assign(cells, -1);
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column) {
            const auto from = static_cast<std::size_t>(row * map.columns + column);
            const auto to = static_cast<std::size_t>(row / rowFactor * out.columns + column / columnFactor);
            if (map.element[from] < 0) continue;
            const bool worse = map.state[from] > out.state[to] ||
                               (map.state[from] == out.state[to] && map.value[from] > out.value[to]);
            if (worse || out.element[to] < 0) out.element[to] = map.element[from];
            out.state[to] = std::max(out.state[to], map.state[from]);
            out.value[to] = std::max(out.value[to], map.value[from]);
        }
    return out;
}

QString measureText(MapMeasure measure) {
    switch (measure) {
    case MapMeasure::rel:
        return QStringLiteral("|c − r| / |r|");
    case MapMeasure::bound:
        return QStringLiteral("share of the tolerance");
    default:
        return QStringLiteral("|c − r|");
    }
}

QString sliceText(const MapSlice& slice) {
    QStringList parts;
    if (slice.rowDim >= 0) parts << QStringLiteral("rows dim %1").arg(slice.rowDim);
    if (slice.columnDim >= 0) parts << QStringLiteral("columns dim %1").arg(slice.columnDim);
    QStringList at;
    bool cut = false;
    for (std::size_t i = 0; i < slice.at.size(); ++i) {
        const bool shown = static_cast<int>(i) == slice.rowDim || static_cast<int>(i) == slice.columnDim;
        cut = cut || !shown;
        at << (shown ? QStringLiteral("·") : QString::number(slice.at[i]));
    }
    if (cut) parts << QStringLiteral("at [%1]").arg(at.join(QStringLiteral(", ")));
    return parts.join(QStringLiteral(" · "));
}

} // namespace divdet
