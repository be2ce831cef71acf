// How TolerancePlot draws and answers the mouse; pixels are known here.
#include "gui/fonts.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "plots/label_layout.h"
#include "plots/log_ticks.h"
#include "plots/paint_item.h"
#include "plots/tolerance_plot.h"
#include <QPainterPath>

namespace divdet {
namespace {

constexpr double kLabelHeight = 14; // px: labels closer than this would touch

double distanceTo(const QVector<QPointF>& line, QPointF pos, QPointF* foot) {
    double best = 1e9;
    for (int i = 1; i < line.size(); ++i) {
        const QPointF a = line[i - 1], d = line[i] - a;
        const double len = QPointF::dotProduct(d, d);
        const double t = len > 0 ? std::clamp(QPointF::dotProduct(pos - a, d) / len, 0.0, 1.0) : 0;
        const QPointF on = a + t * d;
        if (const double far = QLineF(on, pos).length(); far < best) best = far, *foot = on;
    }
    return best;
}

} // namespace

QVector<QPointF> TolerancePlot::pixels(const std::vector<CurvePoint>& points) const {
    QVector<QPointF> out;
    const QRectF box = area();
    for (const CurvePoint& p : points) {
        QPointF at = pixel(std::log10(p.rtol), logOr(p.atol, -60));
        at.setY(std::clamp(at.y(), box.top() - 50, box.bottom() + 50));
        out << at;
    }
    return out;
}

void TolerancePlot::paintRegion(QPainter& p) const {
    if (m_scene.region < 0) return;
    const FrontierCurve& f = m_scene.curves[static_cast<std::size_t>(m_scene.region)].frontier;
    if (f.never) return;
    const QRectF box = area();
    QColor fill = color(Token::withinBg);
    fill.setAlphaF(0.75f);
    QPolygonF polygon(box);
    if (!f.points.empty()) {
        polygon = QPolygonF(pixels(f.points));
        // Right of the end of the curve no atol is needed at all.
        if (f.points.back().atol == 0)
            polygon << QPointF(box.right() + 1, box.bottom() + 50);
        else
            polygon << QPointF(box.right() + 1, polygon.last().y());
        polygon << QPointF(box.right() + 1, box.top() - 50) << QPointF(polygon.first().x(), box.top() - 50);
    }
    p.setPen(Qt::NoPen);
    p.setBrush(fill);
    p.drawPolygon(polygon);
}

void TolerancePlot::paintWindow(QPainter& p) const {
    if (!m_scene.windowOpen() || m_scene.windowHigh.empty()) return;
    const QRectF box = area();
    // Drift below the bug: what lies under the bug's curve, without what lies under drift's.
    const auto under = [&](const std::vector<CurvePoint>& points) {
        QPainterPath path;
        if (points.empty()) return path;
        QPolygonF polygon(pixels(points));
        polygon << QPointF(polygon.last().x(), box.bottom() + 60)
                << QPointF(polygon.first().x(), box.bottom() + 60);
        path.addPolygon(polygon);
        path.closeSubpath();
        return path;
    };
    const QPainterPath path = under(m_scene.windowHigh).subtracted(under(m_scene.windowLow));
    QColor ground = color(Token::inconSolid), lines = ground;
    ground.setAlphaF(0.13f);
    lines.setAlphaF(0.47f);
    p.fillPath(path, ground);
    p.save();
    p.setClipPath(path, Qt::IntersectClip);
    p.setPen(QPen(lines, 1));
    for (double x = box.left() - box.height(); x < box.right(); x += 7)
        p.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    if (m_scene.sane) { // what bounds it may have no curve of its own here
        lines.setAlphaF(0.9f);
        p.setPen(QPen(lines, 2));
        p.setBrush(Qt::NoBrush);
        p.drawPolyline(QPolygonF(pixels(m_scene.windowHigh)));
    }
    p.restore();
}

QRectF TolerancePlot::windowWordPlace(const QSizeF& size, const QVector<QRectF>& taken) const {
    const QRectF box = area();
    QRectF best;
    double room = 16; // px between the curves that the word needs
    for (int i = 0; i <= 24; ++i) {
        const double middle = box.right() - size.width() / 2 - 8 - i * (box.width() - size.width() - 16) / 24;
        const double rtol = std::pow(10.0, coordinate({middle, 0}).x());
        const auto high = curveAtol(m_scene.windowHigh, rtol);
        if (!high) continue;
        const double low = curveAtol(m_scene.windowLow, rtol).value_or(0);
        const double top = std::max(pixel(0, logOr(*high, -60)).y(), box.top());
        const double bottom = std::min(pixel(0, logOr(low, -60)).y(), box.bottom());
        if (bottom - top <= room * (best.isNull() ? 1 : 1.6)) continue;
        const double y = bottom - top > 60 ? top + 30 : (top + bottom) / 2;
        const QRectF place(QPointF(middle - size.width() / 2, y - size.height() / 2), size);
        const QRectF around = place.adjusted(-4, -2, 4, 2);
        if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(around); }))
            continue;
        room = bottom - top;
        best = place;
    }
    return best;
}

QPointF TolerancePlot::presetPixel(const Preset& preset) const {
    return pixel(std::log10(preset.rtol), std::log10(preset.atol));
}

void TolerancePlot::afterLayout() {
    const QRectF box = area(), inside = box.adjusted(2, 2, -2, -2);
    const QPointF handle = handlePosition();
    const QRectF disc(handle.x() - 10, handle.y() - 10, 20, 20);
    std::vector<LabelWish> wishes;
    const QFont f = divdet::font(FontStep::caption, QFont::Medium);
    for (const SceneCurve& c : m_scene.curves) {
        LabelWish wish;
        const QSizeF size(textSize(c.label, f).width() + 2, kLabelHeight);
        if (!c.label.isEmpty()) wish.places = curveLabelPlaces(pixels(c.frontier.points), size, box, 3);
        wish.priority = c.role == SceneCurve::Role::together ? 3 : c.id == m_pass ? 4 : 2;
        wishes.push_back(wish);
    }
    QVector<QRectF> taken{disc};
    for (const Preset& preset : m_presets)
        taken << QRectF(presetPixel(preset) - QPointF(4.5, 4.5), QSizeF(9, 9));
    m_windowWord = QRectF();
    if (m_scene.windowOpen()) {
        const QSizeF size = textSize(tr("window"), divdet::font(FontStep::caption, QFont::Bold));
        if (m_windowWord = windowWordPlace(size, taken); !m_windowWord.isNull()) taken << m_windowWord;
    }
    for (const Preset& preset : m_presets) {
        LabelWish wish;
        const QPointF at = presetPixel(preset);
        const QSizeF size(textSize(preset.text, divdet::font(FontStep::caption)).width() + 2, kLabelHeight);
        const double w = size.width(), h = size.height();
        if (box.contains(at))
            for (QPointF corner : {QPointF(8, -h / 2), QPointF(-w - 8, -h / 2), QPointF(-w - 12, -h - 6),
                                   QPointF(12, 6), QPointF(-w / 2, -h - 12), QPointF(-w / 2, 12)})
                wish.places << QRectF(at + corner, size);
        wishes.push_back(wish);
    }
    std::vector<QRectF> placed = placeLabels(wishes, inside, taken);
    for (std::size_t i = 0; i < m_presets.size(); ++i) m_presets[i].label = placed[m_scene.curves.size() + i];
    placed.resize(m_scene.curves.size());
    m_labels = std::move(placed);
}

void TolerancePlot::paintTexts(QPainter& p) const {
    const QColor halo = color(Token::plot);
    const double far = 30; // decades: beyond every view
    QPen dots(color(Token::axis), 1.2, Qt::CustomDashLine, Qt::FlatCap);
    dots.setDashPattern({2 / 1.2, 4 / 1.2});
    p.setPen(dots);
    const double base = std::log10(linkedAtol(1.0));
    p.drawLine(pixel(-far, base - far * 5 / 3), pixel(far, base + far * 5 / 3));
    for (const Preset& preset : m_presets) {
        const QPointF at = presetPixel(preset);
        p.fillRect(QRectF(at.x() - 4.5, at.y() - 4.5, 9, 9), halo);
        p.fillRect(QRectF(at.x() - 3.5, at.y() - 3.5, 7, 7), color(Token::text2));
        if (!preset.label.isNull())
            drawHaloText(p, preset.label, Qt::AlignCenter, preset.text, divdet::font(FontStep::caption),
                         color(Token::text2), halo);
    }
    for (std::size_t i = 0; i < m_scene.curves.size() && i < m_labels.size(); ++i)
        if (!m_labels[i].isNull())
            drawHaloText(p, m_labels[i], Qt::AlignVCenter, m_scene.curves[i].label,
                         divdet::font(FontStep::caption, QFont::Medium), color(m_scene.curves[i].style.color),
                         halo);
    if (!m_windowWord.isNull())
        drawHaloText(p, m_windowWord, Qt::AlignCenter, tr("window"),
                     divdet::font(FontStep::caption, QFont::Bold), color(Token::inconFg), halo);
    QString note = noWindowText(m_scene);
    if (m_scene.region >= 0) {
        const FrontierCurve& f = m_scene.curves[static_cast<std::size_t>(m_scene.region)].frontier;
        if (f.never) note = tr("no tolerance passes: not all pairs are finite and comparable");
        if (f.always) note = tr("every tolerance passes: the numbers are equal");
    }
    if (note.isEmpty()) return;
    const QFont f = divdet::font(FontStep::caption, QFont::DemiBold);
    const QRectF line = area().adjusted(8, 5, -8, 0);
    const QString elided = QFontMetricsF(f).elidedText(note, Qt::ElideRight, line.width());
    drawHaloText(p, QRectF(line.left(), line.top(), line.width(), kLabelHeight), Qt::AlignRight, elided, f,
                 color(Token::text2), halo);
}

void TolerancePlot::paintHandle(QPainter& p) const {
    const QRectF box = area();
    const QPointF at = handlePosition();
    QPen dashed(color(Token::accent), 1, Qt::CustomDashLine, Qt::FlatCap);
    dashed.setDashPattern({3, 3});
    p.setPen(dashed);
    p.drawLine(QPointF(at.x(), box.top()), QPointF(at.x(), box.bottom()));
    p.drawLine(QPointF(box.left(), at.y()), QPointF(box.right(), at.y()));
    p.setPen(QPen(color(Token::plot), 1.5));
    p.setBrush(color(Token::accent));
    p.drawEllipse(at, 8.5, 8.5);
    p.setPen(QPen(color(Token::onAccent), 1.6));
    p.setBrush(Qt::NoBrush);
    p.drawEllipse(at, 3.2, 3.2);
}

const TolerancePlot::Preset* TolerancePlot::presetAt(QPointF pos) const {
    for (const Preset& preset : m_presets)
        if (QLineF(presetPixel(preset), pos).length() <= 9 || preset.label.contains(pos)) return &preset;
    return nullptr;
}

std::optional<Readout> TolerancePlot::readoutAt(QPointF pos) const {
    if (!area().contains(pos)) return std::nullopt;
    if (const Preset* preset = presetAt(pos))
        return Readout{
            presetPixel(*preset),
            preset->text,
            {{tr("rtol"), num::tolerance(preset->rtol)}, {tr("atol"), num::tolerance(preset->atol)}}};
    const SceneCurve* nearest = nullptr;
    QPointF foot, best;
    double distance = 10; // px
    for (const SceneCurve& c : m_scene.curves)
        if (const double d = distanceTo(pixels(c.frontier.points), pos, &foot); d <= distance)
            nearest = &c, distance = d, best = foot;
    const QPointF at = coordinate(nearest ? best : pos);
    const double rtol = std::pow(10.0, at.x()), atol = std::pow(10.0, at.y());
    if (nearest) {
        const double needs = curveAtol(nearest->frontier.points, rtol).value_or(0);
        return Readout{best,
                       nearest->role == SceneCurve::Role::bug ? nearest->label : nearest->id,
                       {{tr("needs atol"), num::neededTolerance(needs)},
                        {tr("at rtol"), num::neededTolerance(rtol)},
                        {tr("linked path needs rtol"), num::neededTolerance(nearest->needsLinked)}}};
    }
    Readout out{
        pos, {}, {{tr("rtol"), num::neededTolerance(rtol)}, {tr("atol"), num::neededTolerance(atol)}}};
    if (m_scene.region < 0) return out.title = tr("tolerance"), out;
    const SceneCurve& all = m_scene.curves[static_cast<std::size_t>(m_scene.region)];
    const double needs = curveAtol(all.frontier.points, rtol).value_or(0);
    const bool passes = !all.frontier.never && (all.frontier.always || atol >= needs);
    out.title = passes ? tr("all judged taps pass here") : tr("some judged element fails here");
    const auto high = curveAtol(m_scene.windowHigh, rtol);
    if (m_scene.sane && m_scene.sane->line && high && atol < *high &&
        atol >= curveAtol(m_scene.windowLow, rtol).value_or(0))
        out.title = tr("sane: drift passes, %1").arg(m_scene.sane->text);
    return out;
}

} // namespace divdet
