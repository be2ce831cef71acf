// How HistogramPlot draws; pixels are known here.
#include <algorithm>
#include <cmath>

#include "gui/fonts.h"
#include "gui/theme.h"
#include "judge/envelope/flagged.h"
#include "plots/histogram_plot.h"
#include "plots/paint_item.h"

namespace divdet {

void HistogramPlot::paintBars(QPainter& p) const {
    p.setRenderHint(QPainter::Antialiasing, false);
    p.setPen(Qt::NoPen);
    const double foot = pixel(0, base()).y();
    const bool z = m_scene.quantity == HistogramScene::Quantity::z;
    for (const HistogramBar& bar : m_scene.bars) {
        if (bar.count == 0) continue;
        const double left = pixel(bar.from, 0).x(), right = pixel(bar.to, 0).x();
        const double top = pixel(0, yOf(static_cast<double>(bar.count))).y();
        // A hair between bars, as long as bars are wider than hairs.
        const double gap = right - left > 4 ? 1 : 0;
        const bool far = z && std::min(std::abs(bar.low), std::abs(bar.high)) >= envelope::kFlaggedLargest;
        // One element must be seen on a linear axis too.
        const QRectF box(QPointF(left, std::min(top, foot - 1.5)), QPointF(right - gap, foot));
        p.fillRect(box, color(far ? Token::outsideSolid : Token::density2));
    }
}

void HistogramPlot::paintExpected(QPainter& p) const {
    if (m_scene.bars.empty() || m_scene.quantity != HistogramScene::Quantity::z) return;
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF box = area();
    QPen limit(color(Token::outsideFg), 1.2, Qt::CustomDashLine, Qt::FlatCap);
    limit.setDashPattern({3 / 1.2, 3 / 1.2});
    p.setPen(limit);
    for (const double at : {-envelope::kFlaggedLargest, envelope::kFlaggedLargest}) {
        const double x = pixel(symlog(at), 0).x();
        p.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
    }
    QPolygonF curve;
    for (const HistogramBar& bar : m_scene.bars) {
        if (*bar.expected < 1e-3) continue; // far below one element: below the foot on either axis
        curve << QPointF(pixel((bar.from + bar.to) / 2, 0).x(), pixel(0, yOf(*bar.expected)).y());
    }
    QPen halo(color(Token::plot), 3.6);
    QPen dashed(color(Token::text1), 1.6, Qt::CustomDashLine, Qt::FlatCap);
    dashed.setDashPattern({5 / 1.6, 3 / 1.6});
    for (const QPen& pen : {halo, dashed}) {
        p.setPen(pen);
        p.drawPolyline(curve);
    }
}

void HistogramPlot::paintTexts(QPainter& p) const {
    if (!m_problem.isEmpty()) {
        p.setFont(divdet::font(FontStep::body));
        p.setPen(color(Token::text2));
        p.drawText(QRectF(rect()).adjusted(24, 16, -24, -16), Qt::AlignCenter | Qt::TextWordWrap, m_problem);
        return;
    }
    const QFont f = divdet::font(FontStep::caption);
    const QString words = histogramStatement(m_scene);
    const QRectF box = area();
    p.setFont(f);
    const QString shown = p.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(box.width()));
    p.setPen(color(Token::text2));
    p.drawText(QRectF(box.left(), box.top() - 20, box.width(), 18), Qt::AlignVCenter | Qt::AlignLeft, shown);
}

} // namespace divdet
