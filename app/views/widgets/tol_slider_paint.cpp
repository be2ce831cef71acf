#include "gui/fonts.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "views/widgets/tol_slider.h"
#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace divdet {
namespace {

constexpr double trackY = 15;
constexpr double trackHeight = 4;
constexpr double breakWidth = 5; ///< between the stop and the logarithmic part

} // namespace

void TolSlider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintTrack(painter);
    paintTicks(painter);
    paintFlip(painter);
    paintHandle(painter);
}

void TolSlider::paintTrack(QPainter& painter) const {
    const double left = xOf(0) - 2;
    const double right = xOf(TolScale::largest) + 2;
    const double gapMiddle = xOf(0) + scale().gap / 2;
    const QRectF track(left, trackY - trackHeight / 2, right - left, trackHeight);
    QPainterPath stop;
    stop.addRoundedRect(QRectF(left, track.top(), gapMiddle - breakWidth / 2 - left, trackHeight), 2, 2);
    QPainterPath log;
    log.addRoundedRect(
        QRectF(gapMiddle + breakWidth / 2, track.top(), right - gapMiddle - breakWidth / 2, trackHeight), 2,
        2);

    const Theme& theme = Theme::current();
    const QColor failing = theme.blend(Token::outsideSolid, Token::panel, theme.dark() ? 0.65 : 0.55);
    const QColor passing = theme.blend(Token::withinSolid, Token::panel, theme.dark() ? 0.8 : 0.75);
    QColor neutral;
    if (!isEnabled())
        neutral = color(Token::border);
    else if (std::isnan(m_needed))
        neutral = color(Token::control);
    painter.setPen(Qt::NoPen);
    const auto fill = [&](const QPainterPath& part, double from, double to, const QColor& ink) {
        if (to <= from) return;
        painter.save();
        painter.setClipRect(QRectF(from, track.top(), to - from, trackHeight));
        painter.fillPath(part, ink);
        painter.restore();
    };
    if (neutral.isValid()) {
        fill(stop, left, right, neutral);
        fill(log, left, right, neutral);
        return;
    }
    fill(stop, left, right, m_needed > 0 ? failing : passing);
    double flip = flipX();
    if (std::isnan(flip)) flip = m_needed > 0 ? right : left;
    fill(log, left, flip, failing);
    fill(log, flip, right, passing);
}

void TolSlider::paintTicks(QPainter& painter) const {
    painter.setFont(divdet::font(FontStep::tick));
    const QFontMetrics metrics(painter.font());
    const auto label = [&](double x, const QString& text) {
        const double half = metrics.horizontalAdvance(text) / 2.0;
        const double at = std::clamp(x - half, 0.0, width() - 2 * half);
        painter.drawText(QPointF(at, trackY + 11 + metrics.ascent()), text);
    };
    const auto tick = [&](double x, double length) {
        const double crisp = std::floor(x) + 0.5;
        painter.drawLine(QPointF(crisp, trackY + 6), QPointF(crisp, trackY + 6 + length));
    };
    painter.setPen(QPen(color(isEnabled() ? Token::control : Token::border), 1));
    tick(xOf(0), 4);
    for (int decade = -9; decade <= 0; ++decade) tick(xOf(std::pow(10.0, decade)), decade % 3 == 0 ? 4 : 2);
    painter.setPen(color(isEnabled() ? Token::text2 : Token::textDisabled));
    label(xOf(0), QStringLiteral("0"));
    for (const int decade : {-9, -6, -3, 0}) label(xOf(std::pow(10.0, decade)), num::decadeLabel(decade));
}

void TolSlider::paintFlip(QPainter& painter) const {
    const double x = flipX();
    if (std::isnan(x) || !isEnabled()) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Token::text1));
    // The triangle stays above the handle, so the flip is seen also where the handle stands on it.
    painter.drawPolygon(QPolygonF{QPointF(x - 4, 0), QPointF(x + 4, 0), QPointF(x, 6.5)});
    painter.drawRect(QRectF(x - 0.75, 5, 1.5, trackY + trackHeight / 2 - 5));
}

void TolSlider::paintHandle(QPainter& painter) const {
    const QPointF centre(xOf(m_value), trackY);
    const bool on = isEnabled();
    if (hasFocus()) {
        painter.setPen(QPen(color(Token::accent), 2));
        painter.setBrush(color(Token::panel));
        painter.drawEllipse(centre, 9.5, 9.5);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Token::panel));
    painter.drawEllipse(centre, 8, 8);
    painter.setBrush(color(on ? Token::accent : Token::textDisabled));
    painter.drawEllipse(centre, 6.75, 6.75);
    painter.setBrush(color(Token::panel));
    painter.drawEllipse(centre, 5, 5);
    painter.setBrush(color(on ? Token::accent : Token::textDisabled));
    painter.drawEllipse(centre, m_dragging ? 3.6 : 2.6, m_dragging ? 3.6 : 2.6);
}

} // namespace divdet
