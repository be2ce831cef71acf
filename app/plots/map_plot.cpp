#include "plots/map_plot.h"

#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "gui/number_format.h"
#include "plots/export_plot.h"
#include "plots/paint_item.h"

namespace divdet {
namespace {

QSharedPointer<QCPAxisTicker> wholeNumbers() {
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(1);
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    return ticker;
}

constexpr int kScaleRoom = 74; ///< px at the right, for the colours and their numbers

} // namespace

MapPlot::MapPlot(QWidget* parent)
    : PlotWidget(parent) {
    setObjectName(QStringLiteral("mapPlot"));
    setAccessibleName(tr("Map of the selected tap's errors"));
    QCustomPlot& plot = customPlot();
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTicker(wholeNumbers());
        axis->setNumberFormat(QStringLiteral("f"));
        axis->setNumberPrecision(0);
    }
    plot.yAxis->setRangeReversed(true);
    plot.axisRect()->setMinimumMargins(QMargins(4, 8, kScaleRoom, 4));
    const auto item = [&](const char* layer, bool clip, auto paint) {
        new PaintItem(&plot, QString::fromLatin1(layer), clip,
                      [this, paint](QCPPainter& p) { (this->*paint)(p); });
    };
    item("main", true, &MapPlot::paintCells);
    item("marks", true, &MapPlot::paintRing);
    item("texts", false, &MapPlot::paintScale);
    setProblem(tr("Nothing has run yet. Run the block to see where its errors lie."));
}

void MapPlot::setMap(std::shared_ptr<const ErrorMap> map, const Shape& shape) {
    const bool other = !m_map || !map || m_shape != shape || m_map->slice.rowDim != map->slice.rowDim ||
                       m_map->slice.columnDim != map->slice.columnDim;
    m_map = std::move(map);
    m_shape = shape;
    m_problem.clear();
    m_scale = mapScale(*m_map);
    m_factor = {};
    const auto title = [](const QString& word, int dim) {
        return dim < 0 ? QString() : QStringLiteral("%1: dim %2").arg(word).arg(dim);
    };
    customPlot().xAxis->setLabel(title(tr("columns"), m_map->slice.columnDim));
    customPlot().yAxis->setLabel(title(tr("rows"), m_map->slice.rowDim));
    QString said = tr("%1, largest %2").arg(measureText(m_map->measure), num::error(m_map->largest));
    if (m_map->notFinite > 0)
        said +=
            tr(", %1 elements are no number").arg(num::count(static_cast<std::uint64_t>(m_map->notFinite)));
    setAccessibleDescription(said);
    if (other)
        reset();
    else
        fitUnlessMoved();
    refresh();
}

void MapPlot::setProblem(const QString& words) {
    m_map.reset();
    m_problem = words;
    setAccessibleDescription(words);
    fit();
    refresh();
}

void MapPlot::setSelected(qint64 element) {
    if (element == m_selected) return;
    m_selected = element;
    refresh();
}

void MapPlot::applyColours() {
    PlotWidget::applyColours();
    for (QCPAxis* axis : {customPlot().xAxis, customPlot().yAxis}) axis->grid()->setVisible(false);
    m_factor = {};
}

void MapPlot::fit() {
    QCustomPlot& plot = customPlot();
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2})
        axis->setVisible(m_map != nullptr);
    if (!m_map) return;
    plot.xAxis->setRange(-0.5, static_cast<double>(m_map->width) - 0.5);
    plot.yAxis->setRange(-0.5, static_cast<double>(m_map->height) - 0.5);
}

QPointF MapPlot::place(qint64 row, qint64 column) const {
    return pixel(static_cast<double>(column), static_cast<double>(row));
}

std::optional<MapPlot::Cell> MapPlot::cellAt(QPointF pos) const {
    if (!m_map || !area().contains(pos)) return std::nullopt;
    const QPointF at = coordinate(pos);
    const auto row = static_cast<std::int64_t>(std::floor(at.y() + 0.5));
    const auto column = static_cast<std::int64_t>(std::floor(at.x() + 0.5));
    if (row < 0 || row >= m_map->height || column < 0 || column >= m_map->width) return std::nullopt;
    Cell cell{static_cast<int>(row / m_map->rowsPerCell), static_cast<int>(column / m_map->columnsPerCell),
              0};
    cell.index = static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(m_map->columns) +
                 static_cast<std::size_t>(cell.column);
    if (m_map->element[cell.index] < 0) return std::nullopt;
    return cell;
}

std::optional<QPoint> MapPlot::selectedPlace() const {
    if (!m_map || m_selected < 0 || m_selected >= elementCount(m_shape).value_or(0)) return std::nullopt;
    const Index at = unravel(m_selected, m_shape);
    QPoint out;
    for (std::size_t i = 0; i < at.size(); ++i) {
        if (static_cast<int>(i) == m_map->slice.rowDim)
            out.setY(static_cast<int>(at[i]));
        else if (static_cast<int>(i) == m_map->slice.columnDim)
            out.setX(static_cast<int>(at[i]));
        else if (at[i] != m_map->slice.at[i])
            return std::nullopt;
    }
    return out;
}

std::optional<Readout> MapPlot::readoutAt(QPointF pos) const {
    const auto cell = cellAt(pos);
    if (!cell) return std::nullopt;
    const Index at = unravel(m_map->element[cell->index], m_shape);
    Readout out{pos, num::index(at), {}};
    const auto state = m_map->state[cell->index];
    const double value = m_map->value[cell->index];
    out.rows << qMakePair(measureText(m_map->measure), state == ErrorMap::notANumber ? QStringLiteral("nan")
                                                       : state == ErrorMap::infinite ? QStringLiteral("inf")
                                                                                     : num::error(value));
    if (m_map->rowsPerCell * m_map->columnsPerCell > 1)
        out.rows << qMakePair(tr("worst of"),
                              tr("%1 × %2 elements").arg(m_map->rowsPerCell).arg(m_map->columnsPerCell));
    return out;
}

void MapPlot::clicked(QPointF pos) {
    if (const auto cell = cellAt(pos)) emit elementPicked(m_map->element[cell->index]);
}

void MapPlot::step(int rows, int columns) {
    if (!m_map || m_map->element.empty()) return;
    const auto now = selectedPlace();
    // From cell to cell; the first key press starts at the first cell.
    int row = now ? now->y() / static_cast<int>(m_map->rowsPerCell) + rows : 0;
    int column = now ? now->x() / static_cast<int>(m_map->columnsPerCell) + columns : 0;
    row = std::clamp(row, 0, m_map->rows - 1);
    column = std::clamp(column, 0, m_map->columns - 1);
    const auto index = static_cast<std::size_t>(row) * static_cast<std::size_t>(m_map->columns) +
                       static_cast<std::size_t>(column);
    if (m_map->element[index] >= 0) emit elementPicked(m_map->element[index]);
}

void MapPlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return step(0, -1);
    case Qt::Key_Right:
        return step(0, 1);
    case Qt::Key_Up:
        return step(-1, 0);
    case Qt::Key_Down:
        return step(1, 0);
    case Qt::Key_PageDown:
        return emit cutStepped(1);
    case Qt::Key_PageUp:
        return emit cutStepped(-1);
    default:
        PlotWidget::keyPressEvent(event);
    }
}

QString MapPlot::csv() const {
    QString out = QStringLiteral("row,column,value,element\n");
    if (!m_map) return out;
    for (int row = 0; row < m_map->rows; ++row)
        for (int column = 0; column < m_map->columns; ++column) {
            const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(m_map->columns) +
                              static_cast<std::size_t>(column);
            if (m_map->element[cell] < 0) continue;
            const auto state = m_map->state[cell];
            const QString value = state == ErrorMap::notANumber ? QStringLiteral("nan")
                                  : state == ErrorMap::infinite ? QStringLiteral("inf")
                                                                : csvNumber(m_map->value[cell]);
            out += QStringList{QString::number(row * m_map->rowsPerCell),
                               QString::number(column * m_map->columnsPerCell), value,
                               QString::number(m_map->element[cell])}
                       .join(QLatin1Char(',')) +
                   QLatin1Char('\n');
        }
    return out;
}

std::vector<LegendItem> MapPlot::legend() const {
    if (!m_map) return {};
    std::vector<LegendItem> items;
    if (m_map->rowsPerCell * m_map->columnsPerCell > 1)
        items.push_back(
            {tr("a cell is the worst of %1 × %2 elements").arg(m_map->rowsPerCell).arg(m_map->columnsPerCell),
             Swatch::filled(Token::heat1)});
    if (m_map->notFinite > 0) {
        items.push_back({tr("NaN"), Swatch::filled(Token::outsideSolid)});
        items.push_back({tr("infinite"), Swatch::filled(Token::incompSolid)});
    }
    return items;
}

} // namespace divdet
