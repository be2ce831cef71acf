#include "plots/faults_plot.h"
#include "gui/fonts.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "gui/theme_pass.h"
#include "models/verdict_look.h"
#include "plots/export_plot.h"
#include "plots/log_ticks.h"
#include "plots/paint_item.h"
#include <QKeyEvent>

namespace divdet {

FaultsPlot::FaultsPlot(QWidget* parent)
    : PlotWidget(parent) {
    setObjectName(QStringLiteral("faultsPlot"));
    setAccessibleName(tr("Faults: error of each pass alone"));
    fixVertical();
    QCustomPlot& plot = customPlot();
    plot.yAxis->setTicks(false);
    plot.yAxis->setTickLabels(false);
    plot.yAxis->grid()->setVisible(false);
    plot.xAxis->setLabel(tr("max abs: value  ·  max rel, rtol: ratio"));
    const auto item = [&](const char* layer, bool clip, auto paint) {
        new PaintItem(&plot, QString::fromLatin1(layer), clip,
                      [this, paint](QCPPainter& p) { (this->*paint)(p); });
    };
    item("region", false, &FaultsPlot::paintBands);
    item("main", true, &FaultsPlot::paintBars);
    item("marks", false, &FaultsPlot::paintTolerance);
    item("texts", true, &FaultsPlot::paintValues);
    item("texts", false, &FaultsPlot::paintLabels);
}

void FaultsPlot::setData(std::shared_ptr<const LiveResult> live) {
    m_live = std::move(live);
    remake();
}

void FaultsPlot::setTolerance(const Tolerance& tolerance) {
    if (tolerance == m_tolerance) return;
    m_tolerance = tolerance;
    remake();
}

void FaultsPlot::setSelectedPass(const QString& id) {
    if (id == m_selected) return;
    m_selected = id;
    refresh();
}

void FaultsPlot::remake() {
    m_rows = m_live ? faultRows(*m_live, m_tolerance) : std::vector<FaultRow>{};
    QStringList said;
    for (const FaultRow& row : m_rows)
        if (!row.pending)
            said << tr("%1 %2, needs rtol %3")
                        .arg(row.id, lookOf(row.verdict).word, num::neededTolerance(row.needsRtol));
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    fitUnlessMoved();
    refresh();
}

void FaultsPlot::applyColours() {
    PlotWidget::applyColours();
    customPlot().xAxis->grid()->setPen(QPen(color(Token::grid), 1));
}

void FaultsPlot::fit() {
    QCustomPlot& plot = customPlot();
    const QFont strong = divdet::font(FontStep::body, QFont::DemiBold);
    double wide = 0, low = -6, high = 0, labels = 0;
    for (const FaultRow& row : m_rows) {
        const QString second = row.bug && !row.variant.isEmpty() ? row.variant + tr(" · bug") : row.variant;
        wide = std::max<double>({wide, textSize(row.together ? tr("All together") : row.id, strong).width(),
                                 textSize(second, divdet::font(FontStep::caption)).width()});
        for (double v : {row.maxAbs, row.maxRel, row.needsRtol, m_tolerance.rtol}) {
            if (!(v > 0) || !std::isfinite(v)) continue;
            low = std::min(low, std::floor(std::log10(v)));
            high = std::max(high, std::log10(v));
        }
        labels = std::max(labels, textSize(num::shortError(row.maxRel), monoFont(FontStep::caption)).width());
    }
    low = std::max(low - 1, -40.0);
    const int left = m_rows.empty() ? 12 : static_cast<int>(std::min(36 + wide, 0.42 * width()));
    axisRect()->setAutoMargins(QCP::msBottom);
    axisRect()->setMargins(QMargins(left, 26, 14, 40));
    // Room for the longest value label right of the longest bar.
    const double room = std::max(60.0, width() - left - 14.0), share = std::min(0.5, (labels + 10) / room);
    plot.xAxis->setRange(low, std::max(low + 1, low + (high - low) / (1 - share)));
    plot.yAxis->setRange(0, 1);
    plot.xAxis->setVisible(!m_rows.empty());
    for (QCPAxis* axis : {plot.yAxis, plot.xAxis2, plot.yAxis2}) axis->setVisible(!m_rows.empty());
}

QRectF FaultsPlot::rowRect(int row) const {
    const QRectF box = area();
    const double high = box.height() / std::max<double>(1, static_cast<double>(m_rows.size()));
    return {0, box.top() + row * high, box.right(), high};
}

int FaultsPlot::rowAt(QPointF pos) const {
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i)
        if (rowRect(i).contains(pos)) return i;
    return -1;
}

double FaultsPlot::xOf(double value) const {
    const double x = customPlot().xAxis->coordToPixel(logOr(value, -400));
    return std::clamp(x, area().left() - 4, area().right() + 4);
}

std::optional<Readout> FaultsPlot::readoutAt(QPointF pos) const {
    const int i = rowAt(pos);
    if (i < 0) return std::nullopt;
    const FaultRow& row = m_rows[static_cast<std::size_t>(i)];
    Readout out{pos, row.variant.isEmpty() ? row.id : row.id + QLatin1Char(' ') + row.variant, {}};
    if (row.together) out.title = tr("All together");
    if (row.pending) {
        out.rows << qMakePair(tr("running"), num::notApplicable());
        return out;
    }
    out.rows << qMakePair(tr("verdict"), lookOf(row.verdict).word)
             << qMakePair(tr("max abs"), num::error(row.maxAbs))
             << qMakePair(tr("max rel"), num::error(row.maxRel))
             << qMakePair(tr("needs rtol"), num::neededTolerance(row.needsRtol));
    const QString count = num::count(static_cast<std::uint64_t>(row.over.high));
    out.rows << qMakePair(tr("over tol."),
                          row.over.low == row.over.high ? count : QStringLiteral("≈ ") + count);
    if (row.infiniteRel > 0)
        out.rows << qMakePair(tr("differ where reference is 0"),
                              num::count(static_cast<std::uint64_t>(row.infiniteRel)));
    return out;
}

void FaultsPlot::clicked(QPointF pos) {
    const int i = rowAt(pos);
    if (i < 0) return;
    setSelectedPass(m_rows[static_cast<std::size_t>(i)].id);
    emit passSelected(m_selected);
}

void FaultsPlot::doubleClicked(QPointF pos) {
    const int i = rowAt(pos);
    if (i >= 0 && !m_rows[static_cast<std::size_t>(i)].together)
        emit passAloneRequested(m_rows[static_cast<std::size_t>(i)].id);
}

void FaultsPlot::keyPressEvent(QKeyEvent* event) {
    const bool up = event->key() == Qt::Key_Up, down = event->key() == Qt::Key_Down;
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (m_rows.empty() || !(up || down || enter)) return PlotWidget::keyPressEvent(event);
    int at = -1;
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i)
        if (m_rows[static_cast<std::size_t>(i)].id == m_selected) at = i;
    if (enter) {
        if (at >= 0) doubleClicked(rowRect(at).center());
        return;
    }
    at = std::clamp(at + (down ? 1 : -1), 0, static_cast<int>(m_rows.size()) - 1);
    clicked(rowRect(at).center());
}

QString FaultsPlot::csv() const {
    QString out = QStringLiteral("pass,variant,verdict,max_abs,max_rel,needs_rtol,over_low,over_high\n");
    for (const FaultRow& row : m_rows) {
        if (row.pending) continue;
        out += QStringList{csvField(row.id),
                           csvField(row.variant),
                           lookOf(row.verdict).word.toLower(),
                           csvNumber(row.maxAbs),
                           csvNumber(row.maxRel),
                           csvNumber(row.needsRtol),
                           QString::number(row.over.low),
                           QString::number(row.over.high)}
                   .join(QLatin1Char(','));
        out += QLatin1Char('\n');
    }
    return out;
}

std::vector<LegendItem> FaultsPlot::legend() const {
    return {{tr("within"), Swatch::filled(Token::withinSolid)},
            {tr("outside"), Swatch::filled(Token::outsideSolid)},
            {tr("max abs"), Swatch::filled(Token::text2)},
            {tr("max rel"), Swatch::outlined(Token::text2, Token::sunken)},
            {tr("needed rtol"), Swatch::lined(Token::text1, {}, 2)}};
}

} // namespace divdet
