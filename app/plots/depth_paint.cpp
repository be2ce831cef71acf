// How DepthPlot draws; pixels are known here.
#include <cmath>

#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "gui/theme_pass.h"
#include "models/class_look.h"
#include "plots/depth_plot.h"
#include "plots/paint_item.h"

namespace divdet {

void DepthPlot::paintBand(QPainter& p) const {
    if (empty()) return;
    const QRectF box = area();
    const double top = pixel(0, std::log10(kZHigh)).y(), bottom = pixel(0, std::log10(kZLow)).y();
    p.setRenderHint(QPainter::Antialiasing, false);
    p.fillRect(QRectF(QPointF(box.left(), top), QPointF(box.right() + 1, bottom)), color(Token::withinBg));
    p.setPen(QPen(color(Token::withinSolid), 1, Qt::DashLine));
    for (const double y : {top, bottom}) p.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
    const int chosen = selected();
    if (chosen < 0) return;
    const double x = pixel(chosen, 0).x();
    p.fillRect(QRectF(x - 5, box.top(), 10, box.height() + 1), color(Token::selection));
}

void DepthPlot::paintCurves(QPainter& p) const {
    p.setRenderHint(QPainter::Antialiasing);
    // A tap without an envelope is a gap, not a slope between its neighbours.
    const auto curve = [&](std::optional<double> DepthPoint::*value, const QPen& pen) {
        QPolygonF run;
        p.setPen(pen);
        p.setBrush(Qt::NoBrush);
        const auto flush = [&] {
            if (run.size() > 1) p.drawPolyline(run);
            run.clear();
        };
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            const auto& z = m_points[i].*value;
            if (!z) {
                flush();
                continue;
            }
            run << QPointF(pixel(static_cast<double>(i), 0).x(), yOf(*z));
        }
        flush();
    };
    QPen dashed(color(Token::axis), 1.2, Qt::CustomDashLine, Qt::FlatCap);
    dashed.setDashPattern({2 / 1.2, 3 / 1.2});
    curve(&DepthPoint::zLargest, dashed);
    curve(&DepthPoint::zRms, QPen(color(Token::accent), 2));
    for (int i = 0; i < static_cast<int>(m_points.size()); ++i) {
        const DepthPoint& point = m_points[static_cast<std::size_t>(i)];
        if (!point.zRms) continue;
        const bool bug = point.pairClass == PairClass::bug, unclear = point.pairClass == PairClass::unclear;
        const Marker marker = bug ? Marker::triangleUp : unclear ? Marker::diamond : Marker::disc;
        const double size = bug ? 13 : unclear ? 10 : 7;
        drawMarker(p, marker, place(i), size + 3, color(Token::plot));
        drawMarker(p, marker, place(i), size,
                   color(bug       ? Token::outsideSolid
                         : unclear ? Token::text2
                                   : Token::accent));
    }
}

void DepthPlot::paintTexts(QPainter& p) const {
    const QRectF box = area();
    if (empty()) {
        const QString words =
            m_pending       ? tr("Each op is being judged on the inputs it read.")
            : !m_comparison ? tr("Nothing has run yet. Run the block to see its taps along depth.")
                            : tr("No tap has an envelope: theory gives no expected error for these ops.");
        p.setFont(divdet::font(FontStep::body));
        p.setPen(color(Token::text2));
        p.drawText(QRectF(rect()).adjusted(24, 16, -24, -16), Qt::AlignCenter | Qt::TextWordWrap, words);
        return;
    }
    const QFont f = divdet::font(FontStep::caption);
    const double top = pixel(0, std::log10(kZHigh)).y(), bottom = pixel(0, std::log10(kZLow)).y();
    const QString band = tr("σ band");
    const QSizeF size = textSize(band, f);
    if (bottom - top > size.height() + 2 && top >= box.top() && bottom <= box.bottom())
        drawHaloText(p, QRectF(box.left() + 5, bottom - size.height() - 1, size.width(), size.height()),
                     Qt::AlignVCenter, band, f, color(Token::withinFg), color(Token::withinBg));
    for (int i = 0; i < static_cast<int>(m_points.size()); ++i) {
        const DepthPoint& point = m_points[static_cast<std::size_t>(i)];
        const QPointF at = point.zRms ? place(i) : QPointF();
        if (!point.firstFault || !point.zRms || at.x() < box.left() || at.x() > box.right()) continue;
        const QString words =
            tr("%1: %2, z %3").arg(point.tap, lookOf(*point.pairClass).word, num::z(*point.zRms));
        const QFont strong = divdet::font(FontStep::caption, QFont::DemiBold);
        const QSizeF room = textSize(words, strong);
        // The curve rises to the first fault and goes on from it: below it there is room.
        QRectF where(at + QPointF(6, 9), room);
        if (where.right() > box.right() - 2) where.moveRight(at.x() - 12);
        if (where.left() < box.left() + 2) where.moveLeft(box.left() + 2);
        where.moveTop(std::clamp(where.top(), box.top() + 1, box.bottom() - room.height() - 1));
        drawHaloText(p, where, Qt::AlignVCenter, words, strong, color(Token::outsideFg), color(Token::plot));
    }
}

} // namespace divdet
