#include "plots/scatter_plot.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "plots/density_ramp.h"
#include "plots/export_plot.h"
#include "plots/log_ticker.h"
#include "plots/log_ticks.h"
#include "plots/paint_item.h"
#include <limits>

namespace divdet {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

} // namespace

ScatterPlot::ScatterPlot(QWidget* parent)
    : PlotWidget(parent)
    , m_map(nullptr) {
    setObjectName(QStringLiteral("scatterPlot"));
    setAccessibleName(tr("Scatter: error against reference"));
    QCustomPlot& plot = customPlot();
    m_map = new QCPColorMap(plot.xAxis, plot.yAxis);
    m_map->setInterpolate(false);
    m_map->setTightBoundary(true);
    plot.xAxis->setLabel(tr("|reference| (units of the tensor)"));
    plot.yAxis->setLabel(tr("|candidate − reference|"));
    plot.axisRect()->setMinimumMargins(QMargins(4, 22, 14, 4));
    const auto item = [&](const char* layer, bool clip, auto paint) {
        new PaintItem(&plot, QString::fromLatin1(layer), clip,
                      [this, paint](QCPPainter& p) { (this->*paint)(p); });
    };
    item("main", true, &ScatterPlot::paintGutter);
    item("marks", true, &ScatterPlot::paintBounds);
    item("texts", false, &ScatterPlot::paintMarks);
}

void ScatterPlot::setPair(const TapPair* pair) {
    m_problem = pair && pair->problem ? QString::fromStdString(pair->problem->message) : QString();
    setSummary(pair ? pair->summary : nullptr, pair ? QString::fromStdString(pair->name) : QString());
}

void ScatterPlot::setSummary(std::shared_ptr<const Summary> summary, const QString& name) {
    if (summary) m_problem.clear();
    m_summary = std::move(summary);
    m_name = name;
    m_grid = m_summary ? scatterGrid(m_summary->histogram) : ScatterGrid{};
    m_worst.reset();
    m_chosen.reset();
    if (m_summary && m_summary->at.worst.index >= 0) {
        const Element& e = m_summary->at.worst;
        m_worst = Ring{std::fabs(e.reference), e.abs, e.index};
    } else if (m_summary && !m_summary->frontier.empty()) {
        // Of elements that all pass the one with the largest error is the worst: the last one of the hull.
        const FrontierPoint& p = m_summary->frontier.hull().back();
        m_worst =
            Ring{p.magnitude, p.error, p.error == m_summary->maxAbs.value ? m_summary->maxAbs.index : -1};
    }
    remakeMap();
    fitUnlessMoved();
    refresh();
}

void ScatterPlot::setChosen(double reference, double candidate) {
    m_chosen = Ring{std::fabs(reference), std::fabs(candidate - reference), -1};
    refresh();
}

void ScatterPlot::clearChosen() {
    if (!m_chosen) return;
    m_chosen.reset();
    refresh();
}

void ScatterPlot::setTolerance(const Tolerance& tolerance) {
    if (tolerance == m_tolerance) return;
    m_tolerance = tolerance;
    refresh();
}

void ScatterPlot::remakeMap() {
    if (m_grid.columns == 0 || m_grid.rows == 0) {
        m_map->data()->clear();
        m_map->setVisible(false);
        return;
    }
    m_map->setVisible(true);
    m_map->data()->setSize(m_grid.columns, m_grid.rows);
    // Ranges of a colour map are those of the outermost cell centres.
    const double half = ScatterGrid::kBin / 2;
    const double x = ScatterGrid::columnStart(m_grid.firstColumn), y = ScatterGrid::rowStart(m_grid.firstRow);
    m_map->data()->setRange(QCPRange(x + half, x + m_grid.columns * ScatterGrid::kBin - half),
                            QCPRange(y + half, y + m_grid.rows * ScatterGrid::kBin - half));
    for (int r = 0; r < m_grid.rows; ++r)
        for (int c = 0; c < m_grid.columns; ++c) {
            const std::int64_t n = m_grid.count(c, r);
            m_map->data()->setCell(c, r, n ? densityOf(n, m_grid.largest) : kNaN);
        }
    m_map->setDataRange(QCPRange(0, 1));
}

void ScatterPlot::applyColours() {
    PlotWidget::applyColours();
    m_map->setGradient(gradientOf(densityRamp()));
}

double ScatterPlot::gutterX() const {
    return ScatterGrid::columnStart(m_grid.firstColumn) - 0.25;
}
double ScatterPlot::gutterY() const {
    return ScatterGrid::rowStart(m_grid.firstRow) - 0.25;
}

void ScatterPlot::fit() {
    QCustomPlot& plot = customPlot();
    const auto tickerOf = [](QCPAxis* axis) { return axis->ticker().staticCast<LogTicker>(); };
    if (m_grid.columns == 0 && m_grid.rows == 0) {
        plot.xAxis->setRange(-6, 1);
        plot.yAxis->setRange(-9, 0);
        tickerOf(plot.xAxis)->clearZero();
        tickerOf(plot.yAxis)->clearZero();
        return;
    }
    double left = gutterX(), low = gutterY();
    const bool zeroX =
        m_grid.bothZero ||
        std::any_of(m_grid.zeroReference.begin(), m_grid.zeroReference.end(), [](auto n) { return n > 0; });
    const bool zeroY = m_grid.bothZero || std::any_of(m_grid.zeroError.begin(), m_grid.zeroError.end(),
                                                      [](auto n) { return n > 0; });
    double right = ScatterGrid::columnStart(m_grid.firstColumn + std::max(1, m_grid.columns)) + 0.3;
    double high = ScatterGrid::rowStart(m_grid.firstRow + std::max(1, m_grid.rows)) + 0.5;
    if (m_grid.columns == 0) left = gutterX(), right = left + 6;
    if (m_grid.rows == 0) low = gutterY(), high = low + 6;
    // A strip is as wide as 14 px of the fitted view.
    const double stripX = 14 * (right - left) / std::max(100.0, width() - 90.0);
    const double stripY = 14 * (high - low) / std::max(100.0, height() - 80.0);
    if (zeroX)
        tickerOf(plot.xAxis)->setZero(left - stripX / 2, left);
    else
        tickerOf(plot.xAxis)->clearZero();
    if (zeroY)
        tickerOf(plot.yAxis)->setZero(low - stripY / 2, low);
    else
        tickerOf(plot.yAxis)->clearZero();
    plot.xAxis->setRange(zeroX ? left - stripX : left, right);
    plot.yAxis->setRange(zeroY ? low - stripY : low, high);
}

std::optional<ScatterPlot::Bin> ScatterPlot::binAt(QPointF pos) const {
    if (!m_summary || !area().contains(pos)) return std::nullopt;
    const QPointF at = coordinate(pos);
    const auto bin = [](double x, double start) {
        return static_cast<int>(std::floor((x - start) / ScatterGrid::kBin));
    };
    Bin out{at.x() < gutterX(), at.y() < gutterY(), 0, 0, 0};
    const int c = bin(at.x(), ScatterGrid::columnStart(m_grid.firstColumn));
    const int r = bin(at.y(), ScatterGrid::rowStart(m_grid.firstRow));
    if (!out.zeroReference) out.column = m_grid.firstColumn + c;
    if (!out.zeroError) out.row = m_grid.firstRow + r;
    if (out.zeroReference && out.zeroError)
        out.count = m_grid.bothZero;
    else if (out.zeroReference)
        out.count = r >= 0 && r < m_grid.rows ? m_grid.zeroReference[static_cast<std::size_t>(r)] : 0;
    else if (out.zeroError)
        out.count = c >= 0 && c < m_grid.columns ? m_grid.zeroError[static_cast<std::size_t>(c)] : 0;
    else
        out.count = m_grid.count(c, r);
    if (out.count == 0) return std::nullopt;
    return out;
}

std::optional<Readout> ScatterPlot::readoutAt(QPointF pos) const {
    if (m_worst && m_worst->index >= 0 && QLineF(pos, ringPixel()).length() < 9)
        return Readout{
            ringPixel(),
            tr("worst element"),
            {{tr("|reference|"), num::error(m_worst->magnitude)}, {tr("error"), num::error(m_worst->error)}}};
    const auto bin = binAt(pos);
    if (!bin) return std::nullopt;
    const auto range = [](std::pair<double, double> r) {
        return QStringLiteral("%1 to %2").arg(num::shortError(r.first), num::shortError(r.second));
    };
    const QString n = num::count(static_cast<std::uint64_t>(bin->count));
    return Readout{
        pos,
        bin->count == 1 ? tr("1 element") : tr("%1 elements").arg(n),
        {{tr("|reference|"),
          bin->zeroReference ? QStringLiteral("0") : range(ErrorHistogram::columnRange(bin->column))},
         {tr("error"), bin->zeroError ? QStringLiteral("0") : range(ErrorHistogram::rowRange(bin->row))}}};
}

void ScatterPlot::clicked(QPointF pos) {
    if (m_worst && m_worst->index >= 0 && QLineF(pos, ringPixel()).length() < 12)
        return emit elementPicked(m_worst->index);
    if (const auto bin = binAt(pos))
        emit binPicked(bin->zeroReference ? ErrorHistogram::column(0) : bin->column,
                       bin->zeroError ? ErrorHistogram::row(0) : bin->row);
}

QPointF ScatterPlot::pixelOf(const Ring& ring) const {
    const QRectF box = area();
    const QPointF at = pixel(logOr(ring.magnitude, -400), logOr(ring.error, -400));
    // Exact zeros stand in the gutters.
    return {std::max(at.x(), box.left() + 7), std::min(at.y(), box.bottom() - 7)};
}

QString ScatterPlot::csv() const {
    QString out = QStringLiteral("reference_from,reference_to,error_from,error_to,count\n");
    const auto line = [&](std::pair<double, double> m, std::pair<double, double> e, std::int64_t n) {
        if (n == 0) return;
        out += QStringList{csvNumber(m.first), csvNumber(m.second), csvNumber(e.first), csvNumber(e.second),
                           QString::number(n)}
                   .join(QLatin1Char(',')) +
               QLatin1Char('\n');
    };
    line({0, 0}, {0, 0}, m_grid.bothZero);
    for (int c = 0; c < m_grid.columns; ++c)
        line(ErrorHistogram::columnRange(m_grid.firstColumn + c), {0, 0},
             m_grid.zeroError[static_cast<std::size_t>(c)]);
    for (int r = 0; r < m_grid.rows; ++r) {
        const auto error = ErrorHistogram::rowRange(m_grid.firstRow + r);
        line({0, 0}, error, m_grid.zeroReference[static_cast<std::size_t>(r)]);
        for (int c = 0; c < m_grid.columns; ++c)
            line(ErrorHistogram::columnRange(m_grid.firstColumn + c), error, m_grid.count(c, r));
    }
    return out;
}

std::vector<LegendItem> ScatterPlot::legend() const {
    return {{tr("elements, log density"), Swatch::filled(Token::density3)},
            {tr("sum rule"), Swatch::lined(Token::outsideFg, {}, 1.8)},
            {tr("either rule"), Swatch::lined(Token::outsideFg, {5, 3}, 1.4)}};
}

} // namespace divdet
