#include "plots/tolerance_plot.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "plots/export_plot.h"
#include "plots/log_ticks.h"
#include "plots/paint_item.h"

namespace divdet {
namespace {

constexpr double kHandleReach = 20; // px around the handle that grab it

} // namespace

double roundedTolerance(double logValue) {
    const double value = std::pow(10.0, std::clamp(logValue, -9.0, 0.0));
    return std::strtod(QByteArray::number(value, 'e', 1).constData(), nullptr);
}

std::pair<double, double> nearestOnPath(double logRtol, double logAtol, double across, double up) {
    // The path is atol = base + slope · rtol in log10; the foot of the perpendicular is taken in pixels.
    constexpr double slope = 5.0 / 3.0;
    const double base = std::log10(linkedAtol(1.0));
    const double dx = across, dy = slope * up;
    const double along = (logRtol * across * dx + (logAtol - base) * up * dy) / (dx * dx + dy * dy);
    const double rtol = roundedTolerance(along);
    return {rtol, linkedAtol(rtol)};
}

TolerancePlot::TolerancePlot(QWidget* parent)
    : PlotWidget(parent) {
    setObjectName(QStringLiteral("tolerancePlot"));
    setAccessibleName(tr("Tolerance plane: every rtol and atol"));
    QCustomPlot& plot = customPlot();
    plot.xAxis->setLabel(tr("rtol"));
    plot.yAxis->setLabel(tr("atol (units of the tensor)"));
    const auto item = [&](const char* layer, bool clip, auto paint) {
        new PaintItem(&plot, QString::fromLatin1(layer), clip,
                      [this, paint](QCPPainter& p) { (this->*paint)(p); });
    };
    item("region", true, &TolerancePlot::paintRegion);
    item("region", true, &TolerancePlot::paintWindow);
    item("texts", true, &TolerancePlot::paintTexts);
    item("texts", true, &TolerancePlot::paintHandle);
    makePresets();
    fit();
}

void TolerancePlot::setSane(std::shared_ptr<const SaneAnswer> sane) {
    if (sane == m_sane) return;
    m_sane = std::move(sane);
    if (m_live) remake();
}

void TolerancePlot::setData(std::shared_ptr<const LiveResult> live, std::shared_ptr<const SaneAnswer> sane) {
    m_live = std::move(live);
    m_sane = std::move(sane);
    m_comparison.reset();
    remake();
}

void TolerancePlot::setComparison(std::shared_ptr<const Comparison> comparison) {
    m_comparison = std::move(comparison);
    m_live.reset();
    remake();
}

void TolerancePlot::setTolerance(const Tolerance& tolerance, bool linked) {
    if (tolerance == m_tolerance && linked == m_linked) return;
    const bool otherScene = tolerance.rule != m_tolerance.rule || tolerance.equalNan != m_tolerance.equalNan;
    m_tolerance = tolerance;
    m_linked = linked;
    if (otherScene) return remake();
    fitUnlessMoved();
    refresh();
}

void TolerancePlot::setSelectedTap(int pair) {
    if (pair == m_tap) return;
    m_tap = pair;
    if (m_comparison) remake();
}

void TolerancePlot::setSelectedPass(const QString& id) {
    if (id == m_pass) return;
    m_pass = id;
    makeCurves();
    refresh();
}

void TolerancePlot::remake() {
    m_scene = m_live         ? sceneOf(*m_live, m_tolerance, m_sane.get())
              : m_comparison ? sceneOf(*m_comparison, m_tap, m_tolerance)
                             : ToleranceScene{};
    QStringList said;
    for (const SceneCurve& c : m_scene.curves)
        said << tr("%1 needs rtol %2")
                    .arg(c.label.isEmpty() ? c.id : c.label, num::neededTolerance(c.needsLinked));
    if (m_scene.sane)
        said << (m_scene.sane->line
                     ? tr("sane tolerance: rtol %1, atol %2, where %3")
                           .arg(num::tolerance(m_scene.sane->line->middle.rtol),
                                num::tolerance(m_scene.sane->line->middle.atol), m_scene.sane->text)
                     : m_scene.sane->text);
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    makePresets();
    makeCurves();
    fitUnlessMoved();
    refresh();
}

void TolerancePlot::makePresets() {
    m_presets.clear();
    const auto add = [this](const QString& id, const QString& text, double rtol, double atol) {
        const auto same = std::find_if(m_presets.begin(), m_presets.end(),
                                       [&](const Preset& p) { return p.rtol == rtol && p.atol == atol; });
        if (same != m_presets.end())
            same->text += QStringLiteral(" · ") + text;
        else
            m_presets.push_back({id, text, rtol, atol, {}});
    };
    for (const TolerancePreset& preset : tolerancePresets()) {
        if (preset.rule != m_tolerance.rule || preset.rtol <= 0 || preset.atol <= 0) continue;
        QString text = QString::fromUtf8(preset.id.data(), static_cast<int>(preset.id.size()));
        const QString id = text;
        text.replace(QLatin1Char('-'), QLatin1Char(' ')).replace(QLatin1Char('_'), QLatin1Char(' '));
        add(id, text, preset.rtol, preset.atol);
    }
    if (m_scene.sane && m_scene.sane->line)
        add(QStringLiteral("sane"), tr("sane"), m_scene.sane->line->middle.rtol,
            m_scene.sane->line->middle.atol);
}

void TolerancePlot::makeCurves() {
    QCustomPlot& plot = customPlot();
    plot.clearPlottables();
    const auto add = [&](const SceneCurve& c, double wider) {
        auto* curve = new QCPCurve(plot.xAxis, plot.yAxis);
        QVector<double> order, x, y;
        for (const CurvePoint& p : c.frontier.points) {
            order << static_cast<double>(order.size());
            x << std::log10(p.rtol);
            y << logOr(p.atol, -60);
        }
        curve->setData(order, x, y, true);
        QPen pen = c.style.pen();
        pen.setWidthF(pen.widthF() + wider);
        curve->setPen(pen);
        curve->setName(c.id);
        curve->setAntialiased(true);
        curve->setSelectable(QCP::stNone);
    };
    for (const SceneCurve& c : m_scene.curves)
        if (c.id != m_pass) add(c, 0);
    for (const SceneCurve& c : m_scene.curves)
        if (c.id == m_pass) add(c, 0.8);
}

void TolerancePlot::applyColours() {
    PlotWidget::applyColours();
    makeCurves();
}

void TolerancePlot::fit() {
    double left = -6, right = 0, low = -9, high = -1;
    const auto take = [&](double rtol, double atol) {
        if (rtol > 0)
            left = std::min(left, std::floor(std::log10(rtol) + 1e-9)),
            right = std::max(right, std::ceil(std::log10(rtol)));
        if (atol > 0)
            low = std::min(low, std::floor(std::log10(atol) + 1e-9)),
            high = std::max(high, std::ceil(std::log10(atol)));
    };
    take(m_tolerance.rtol, m_tolerance.atol);
    for (const SceneCurve& c : m_scene.curves) {
        if (c.frontier.points.empty()) continue;
        const auto top =
            curveAtol(c.frontier.points, std::pow(10.0, left)).value_or(c.frontier.points.front().atol);
        if (!(top > 0)) continue;
        high = std::max(high, std::ceil(std::log10(top) + 0.15));
        if (c.landmark) continue; // landmarks alone do not stretch the plane downwards
        low = std::min(low, std::max(-40.0, std::floor(std::log10(top)) - 1));
    }
    customPlot().xAxis->setRange(left, right);
    customPlot().yAxis->setRange(low, high);
}

QPointF TolerancePlot::handlePosition() const {
    const QCustomPlot& plot = customPlot();
    // Zero has no place on a log axis: the handle stands at the edge.
    const double x = m_tolerance.rtol > 0 ? std::log10(m_tolerance.rtol) : plot.xAxis->range().lower;
    const double y = m_tolerance.atol > 0 ? std::log10(m_tolerance.atol) : plot.yAxis->range().lower;
    return pixel(x, y);
}

bool TolerancePlot::takesDrag(QPointF pos, Qt::KeyboardModifiers) {
    return area().contains(pos) && QLineF(pos, handlePosition()).length() <= kHandleReach;
}

void TolerancePlot::dragTo(QPointF pos, Qt::KeyboardModifiers modifiers) {
    const QPointF to = coordinate(pos);
    double rtol = roundedTolerance(to.x()), atol = roundedTolerance(to.y());
    if (m_linked && !(modifiers & Qt::ShiftModifier)) {
        const QPointF unit = pixel(1, 1) - pixel(0, 0);
        std::tie(rtol, atol) = nearestOnPath(to.x(), to.y(), std::fabs(unit.x()), std::fabs(unit.y()));
    }
    if (rtol == m_tolerance.rtol && atol == m_tolerance.atol) return;
    m_tolerance.rtol = rtol;
    m_tolerance.atol = atol;
    refresh();
    emit toleranceDragged(rtol, atol);
}

void TolerancePlot::clicked(QPointF pos) {
    if (const Preset* preset = presetAt(pos)) emit presetPicked(preset->id);
}

Qt::CursorShape TolerancePlot::cursorAt(QPointF pos) const {
    if (area().contains(pos) && QLineF(pos, handlePosition()).length() <= kHandleReach)
        return Qt::SizeAllCursor;
    return presetAt(pos) ? Qt::PointingHandCursor : Qt::ArrowCursor;
}

QString TolerancePlot::csv() const {
    QString out = QStringLiteral("curve,kind,rtol,atol\n");
    for (const SceneCurve& c : m_scene.curves) {
        const bool bug = c.role == SceneCurve::Role::bug;
        const QString name = bug ? c.label : c.id;
        const QString kind = bug                                 ? QStringLiteral("bug")
                             : c.role == SceneCurve::Role::drift ? QStringLiteral("drift")
                                                                 : QStringLiteral("all");
        for (const CurvePoint& p : c.frontier.points)
            out += QStringList{csvField(name), kind, csvNumber(p.rtol), csvNumber(p.atol)}.join(
                       QLatin1Char(',')) +
                   QLatin1Char('\n');
    }
    if (!m_scene.sane || !m_scene.sane->line) return out;
    for (const auto& [name, points] : {std::pair(QStringLiteral("sane window from"), &m_scene.windowLow),
                                       std::pair(QStringLiteral("sane window to"), &m_scene.windowHigh)})
        for (const CurvePoint& p : *points)
            out += QStringList{name, QStringLiteral("window"), csvNumber(p.rtol), csvNumber(p.atol)}.join(
                       QLatin1Char(',')) +
                   QLatin1Char('\n');
    return out;
}

std::vector<LegendItem> TolerancePlot::legend() const {
    std::vector<LegendItem> out{{tr("passes"), Swatch::filled(Token::withinBg)}};
    if (m_scene.sane && m_scene.sane->line) {
        out.push_back(
            {tr("sane window: %1").arg(m_scene.sane->text), Swatch::hatched(Token::inconSolid, Token::plot)});
    } else if (m_scene.windowOpen()) {
        QString bug = m_scene.windowBug;
        bug.remove(QStringLiteral(" accumulator (bug)")).remove(QStringLiteral(" (bug)"));
        out.push_back(
            {tr("window for the %1 bug").arg(bug), Swatch::hatched(Token::inconSolid, Token::plot)});
    }
    out.push_back({tr("linked path"), Swatch::lined(Token::axis, {2, 4}, 1.2)});
    out.push_back({tr("preset"), Swatch::marked(Marker::square, Token::text2)});
    return out;
}

} // namespace divdet
