#include "plots/histogram_plot.h"

#include <algorithm>
#include <cmath>

#include "gui/number_format.h"
#include "judge/envelope/flagged.h"
#include "plots/export_plot.h"
#include "plots/log_ticker.h"
#include "plots/paint_item.h"
#include "plots/symlog_ticker.h"
#include "tensor/dtype.h"

namespace divdet {
namespace {

constexpr double kHalf = -0.30103; ///< log10 of half an element: the foot of log bars

} // namespace

HistogramPlot::HistogramPlot(QWidget* parent)
    : PlotWidget(parent) {
    setObjectName(QStringLiteral("histogramPlot"));
    setAccessibleName(tr("Histogram of the selected tap's errors"));
    QCustomPlot& plot = customPlot();
    plot.xAxis->setTicker(QSharedPointer<SymlogTicker>::create(plot.xAxis));
    plot.yAxis->setLabel(tr("elements"));
    plot.axisRect()->setMinimumMargins(QMargins(4, 22, 14, 4));
    const auto item = [&](const char* layer, bool clip, auto paint) {
        new PaintItem(&plot, QString::fromLatin1(layer), clip,
                      [this, paint](QCPPainter& p) { (this->*paint)(p); });
    };
    item("main", true, &HistogramPlot::paintBars);
    item("marks", true, &HistogramPlot::paintExpected);
    item("texts", false, &HistogramPlot::paintTexts);
    setProblem(tr("Nothing has run yet. Run the block to see how its errors are spread."));
}

void HistogramPlot::setScene(const HistogramScene& scene) {
    m_scene = scene;
    m_problem = scene.bars.empty() ? tr("No element has a finite error.") : QString();
    const bool z = scene.quantity == HistogramScene::Quantity::z;
    customPlot().xAxis->setLabel(
        z ? tr("z (error / expected error, no unit)")
          : tr("candidate − reference (ulps of %1)")
                .arg(QString::fromUtf8(name(scene.dtype).data(),
                                       static_cast<qsizetype>(name(scene.dtype).size()))));
    setAccessibleDescription(histogramStatement(scene));
    fitUnlessMoved();
    refresh();
}

void HistogramPlot::setProblem(const QString& words) {
    m_scene = {};
    m_problem = words;
    setAccessibleDescription(words);
    fitUnlessMoved();
    refresh();
}

void HistogramPlot::setLogCounts(bool log) {
    if (log == m_log) return;
    m_log = log;
    QCPAxis* y = customPlot().yAxis;
    if (log)
        y->setTicker(QSharedPointer<LogTicker>::create(y));
    else
        y->setTicker(QSharedPointer<QCPAxisTicker>::create());
    reset(); // a view of the other axis means nothing here
}

double HistogramPlot::yOf(double count) const {
    return m_log ? std::log10(std::max(count, 1e-300)) : count;
}

double HistogramPlot::base() const {
    return m_log ? kHalf : 0;
}

void HistogramPlot::fit() {
    QCustomPlot& plot = customPlot();
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2})
        axis->setVisible(!m_scene.bars.empty());
    if (m_scene.bars.empty()) return;
    double most = static_cast<double>(m_scene.largestCount);
    for (const HistogramBar& bar : m_scene.bars) most = std::max(most, bar.expected.value_or(0));
    const double top = yOf(most), room = 0.08 * (top - base()) + (m_log ? 0.1 : 0);
    plot.yAxis->setRange(base(), top + room);
    plot.xAxis->setRange(m_scene.bars.front().from, m_scene.bars.back().to);
}

QPointF HistogramPlot::place(int bar) const {
    const HistogramBar& b = m_scene.bars[static_cast<std::size_t>(bar)];
    const double top = b.count > 0 ? yOf(static_cast<double>(b.count)) : base();
    return {pixel((b.from + b.to) / 2, 0).x(), (pixel(0, top).y() + pixel(0, base()).y()) / 2};
}

int HistogramPlot::barAt(QPointF pos) const {
    if (m_scene.bars.empty() || !area().contains(pos)) return -1;
    const double x = coordinate(pos).x();
    for (std::size_t i = 0; i < m_scene.bars.size(); ++i)
        if (x >= m_scene.bars[i].from && x < m_scene.bars[i].to) return static_cast<int>(i);
    return -1;
}

std::optional<Readout> HistogramPlot::readoutAt(QPointF pos) const {
    const int i = barAt(pos);
    if (i < 0) return std::nullopt;
    const HistogramBar& bar = m_scene.bars[static_cast<std::size_t>(i)];
    const double share = static_cast<double>(bar.count) / static_cast<double>(m_scene.elements);
    Readout out{QPointF(place(i).x(), pos.y()), barText(m_scene, bar), {}};
    out.rows << qMakePair(tr("elements"), num::count(static_cast<std::uint64_t>(bar.count)));
    if (bar.expected) out.rows << qMakePair(tr("normal"), num::error(*bar.expected));
    out.rows << qMakePair(tr("share"), num::share(share));
    return out;
}

QString HistogramPlot::csv() const {
    const bool z = m_scene.quantity == HistogramScene::Quantity::z;
    QString out =
        z ? QStringLiteral("z_from,z_to,elements,normal\n") : QStringLiteral("ulps_from,ulps_to,elements\n");
    for (const HistogramBar& bar : m_scene.bars) {
        QStringList fields{csvNumber(bar.low), csvNumber(bar.high), QString::number(bar.count)};
        if (z) fields << csvNumber(bar.expected.value_or(0));
        out += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return out;
}

std::vector<LegendItem> HistogramPlot::legend() const {
    if (m_scene.bars.empty()) return {};
    std::vector<LegendItem> items{{tr("elements"), Swatch::filled(Token::density2)}};
    if (m_scene.quantity == HistogramScene::Quantity::z) {
        items.push_back(
            {tr("normal: rms z 1, largest about %1").arg(num::z(expectedLargest(m_scene.elements))),
             Swatch::lined(Token::text1, {5, 3}, 1.6)});
        items.push_back({tr("|z| %1: flagged").arg(envelope::kFlaggedLargest),
                         Swatch::lined(Token::outsideFg, {3, 3}, 1.2)});
    }
    return items;
}

} // namespace divdet
