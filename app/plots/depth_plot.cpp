#include "plots/depth_plot.h"

#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "gui/number_format.h"
#include "gui/theme.h"
#include "models/class_look.h"
#include "plots/depth_ticker.h"
#include "plots/export_plot.h"
#include "plots/log_ticker.h"
#include "plots/log_ticks.h"
#include "plots/paint_item.h"

namespace divdet {

DepthPlot::DepthPlot(QWidget* parent)
    : PlotWidget(parent) {
    setObjectName(QStringLiteral("depthPlot"));
    setAccessibleName(tr("Depth: error against what theory expects, tap by tap"));
    QCustomPlot& plot = customPlot();
    plot.xAxis->setTicker(QSharedPointer<DepthTicker>::create(plot.xAxis));
    plot.xAxis->setLabel(tr("taps in depth order"));
    plot.yAxis->setLabel(tr("z (error / expected error, no unit)"));
    plot.axisRect()->setMinimumMargins(QMargins(4, 14, 14, 4));
    const auto item = [&](const char* layer, bool clip, auto paint) {
        new PaintItem(&plot, QString::fromLatin1(layer), clip,
                      [this, paint](QCPPainter& p) { (this->*paint)(p); });
    };
    item("region", true, &DepthPlot::paintBand);
    item("main", true, &DepthPlot::paintCurves);
    item("texts", false, &DepthPlot::paintTexts);
}

void DepthPlot::setData(std::shared_ptr<const Comparison> comparison, bool classesPending) {
    if (comparison == m_comparison && classesPending == m_pending) return;
    m_comparison = std::move(comparison);
    m_pending = classesPending;
    m_points = m_comparison && !m_pending ? depthPoints(*m_comparison) : std::vector<DepthPoint>{};
    QStringList names, said;
    for (const DepthPoint& point : m_points) {
        names << point.tap;
        if (point.zRms) said << tr("%1: rms z %2").arg(point.tap, num::z(*point.zRms));
    }
    customPlot().xAxis->ticker().staticCast<DepthTicker>()->setNames(names);
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    fitUnlessMoved();
    refresh();
}

void DepthPlot::setSelectedTap(const QString& tap) {
    if (tap == m_tap) return;
    m_tap = tap;
    refresh();
}

bool DepthPlot::empty() const {
    return std::none_of(m_points.begin(), m_points.end(), [](const DepthPoint& p) { return p.zRms; });
}

void DepthPlot::applyColours() {
    PlotWidget::applyColours();
    customPlot().xAxis->grid()->setVisible(false);
}

void DepthPlot::fit() {
    QCustomPlot& plot = customPlot();
    const auto [low, high] = depthRange(m_points);
    const bool zero =
        std::any_of(m_points.begin(), m_points.end(), [](const DepthPoint& p) { return p.zRms == 0.0; });
    const auto ticker = plot.yAxis->ticker().staticCast<LogTicker>();
    const double strip = 0.06 * (high - low);
    if (zero)
        ticker->setZero(low - strip / 2, low);
    else
        ticker->clearZero();
    plot.yAxis->setRange(zero ? low - strip : low, high);
    plot.xAxis->setRange(-0.5, std::max<double>(1, static_cast<double>(m_points.size())) - 0.5);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2}) axis->setVisible(!empty());
}

double DepthPlot::yOf(double z) const {
    const double y = pixel(0, logOr(z, -400)).y();
    return std::clamp(y, area().top() + 5.0, area().bottom() - 5.0);
}

QPointF DepthPlot::place(int point) const {
    const DepthPoint& p = m_points[static_cast<std::size_t>(point)];
    return {pixel(point, 0).x(), yOf(p.zRms.value_or(0))};
}

int DepthPlot::pointAt(QPointF pos) const {
    if (empty() || !area().adjusted(-8, -8, 8, 30).contains(pos)) return -1;
    const int i = static_cast<int>(std::lround(coordinate(pos).x()));
    return i >= 0 && i < static_cast<int>(m_points.size()) ? i : -1;
}

int DepthPlot::selected() const {
    for (std::size_t i = 0; i < m_points.size(); ++i)
        if (m_points[i].tap == m_tap) return static_cast<int>(i);
    return -1;
}

std::optional<Readout> DepthPlot::readoutAt(QPointF pos) const {
    const int i = pointAt(pos);
    if (i < 0) return std::nullopt;
    const DepthPoint& point = m_points[static_cast<std::size_t>(i)];
    Readout out{point.zRms ? place(i) : pos, point.tap, {}};
    const auto row = [&out](const QString& name, const QString& value) {
        out.rows << qMakePair(name, value);
    };
    if (point.pairClass) row(tr("class"), lookOf(*point.pairClass).word);
    row(tr("rms z"), point.zRms ? num::z(*point.zRms) : tr("no envelope"));
    if (point.zLargest) row(tr("largest |z|"), num::z(*point.zLargest));
    row(tr("of the hard bound"), boundText(point.bound));
    return out;
}

void DepthPlot::clicked(QPointF pos) {
    const int i = pointAt(pos);
    if (i >= 0) emit tapSelected(m_points[static_cast<std::size_t>(i)].tap);
}

void DepthPlot::keyPressEvent(QKeyEvent* event) {
    const bool left = event->key() == Qt::Key_Left, right = event->key() == Qt::Key_Right;
    if (m_points.empty() || !(left || right)) return PlotWidget::keyPressEvent(event);
    const int last = static_cast<int>(m_points.size()) - 1;
    const int next = std::clamp(selected() + (right ? 1 : -1), 0, last);
    emit tapSelected(m_points[static_cast<std::size_t>(next)].tap);
}

QString DepthPlot::csv() const {
    QString out = QStringLiteral("tap,class,rms_z,largest_z,bound_largest,bound_beyond,elements\n");
    const auto number = [](const std::optional<double>& v) { return v ? csvNumber(*v) : QString(); };
    for (const DepthPoint& p : m_points)
        out += QStringList{csvField(p.tap),
                           p.pairClass ? lookOf(*p.pairClass).word : QString(),
                           number(p.zRms),
                           number(p.zLargest),
                           p.bound ? csvNumber(p.bound->largest) : QString(),
                           p.bound ? QString::number(p.bound->beyond) : QString(),
                           p.bound ? QString::number(p.bound->elements) : QString()}
                   .join(QLatin1Char(',')) +
               QLatin1Char('\n');
    return out;
}

std::vector<LegendItem> DepthPlot::legend() const {
    std::vector<LegendItem> items = {{tr("rms z"), Swatch::lined(Token::accent, {}, 2)},
                                     {tr("largest |z|"), Swatch::lined(Token::axis, {2, 3}, 1.2)},
                                     {tr("honest runs, 0.5 to 2"), Swatch::filled(Token::withinBg)}};
    const auto holds = [this](PairClass c) {
        return std::any_of(m_points.begin(), m_points.end(),
                           [c](const DepthPoint& p) { return p.pairClass == c && p.zRms; });
    };
    if (holds(PairClass::bug))
        items.push_back({tr("bug"), Swatch::marked(Marker::triangleUp, Token::outsideSolid)});
    if (holds(PairClass::unclear))
        items.push_back({tr("unclear"), Swatch::marked(Marker::diamond, Token::text2)});
    return items;
}

} // namespace divdet
