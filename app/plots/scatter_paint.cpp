// How ScatterPlot draws beside its colour map; pixels are known here.
#include "gui/fonts.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "plots/density_ramp.h"
#include "plots/log_ticks.h"
#include "plots/paint_item.h"
#include "plots/scatter_plot.h"

namespace divdet {

void ScatterPlot::paintGutter(QPainter& p) const {
    if (!m_summary) return;
    const QRectF box = area();
    const double edgeX = pixel(gutterX(), 0).x(), edgeY = pixel(0, gutterY()).y();
    p.setRenderHint(QPainter::Antialiasing, false);
    const auto cell = [&](double left, double right, double top, double bottom, std::int64_t n) {
        if (n > 0)
            p.fillRect(QRectF(QPointF(left, top), QPointF(right, bottom)).toAlignedRect(),
                       densityColor(n, m_grid.largest));
    };
    const double farX = box.left() - 1, farY = box.bottom() + 1;
    if (edgeX > box.left())
        p.fillRect(QRectF(QPointF(farX, box.top()), QPointF(edgeX, farY)), color(Token::alt));
    if (edgeY < box.bottom())
        p.fillRect(QRectF(QPointF(box.left(), edgeY), QPointF(box.right() + 1, farY)), color(Token::alt));
    for (int c = 0; c < m_grid.columns; ++c) {
        const double x = ScatterGrid::columnStart(m_grid.firstColumn + c);
        cell(pixel(x, 0).x(), pixel(x + ScatterGrid::kBin, 0).x(), edgeY + 2, farY,
             m_grid.zeroError[static_cast<std::size_t>(c)]);
    }
    for (int r = 0; r < m_grid.rows; ++r) {
        const double y = ScatterGrid::rowStart(m_grid.firstRow + r);
        cell(farX, edgeX - 2, pixel(0, y + ScatterGrid::kBin).y(), pixel(0, y).y(),
             m_grid.zeroReference[static_cast<std::size_t>(r)]);
    }
    cell(farX, edgeX - 2, edgeY + 2, farY, m_grid.bothZero);
    p.setPen(QPen(color(Token::border), 1));
    if (edgeX > box.left()) p.drawLine(QPointF(edgeX, box.top()), QPointF(edgeX, box.bottom()));
    if (edgeY < box.bottom()) p.drawLine(QPointF(box.left(), edgeY), QPointF(box.right(), edgeY));
}

void ScatterPlot::paintBounds(QPainter& p) const {
    if (!m_summary) return;
    const QRectF box = area();
    const auto line = [&](Rule rule) {
        QPolygonF out;
        const double left = std::max(box.left(), pixel(gutterX(), 0).x());
        // In the gutter |reference| is zero and the bound is atol alone.
        if (left > box.left()) {
            const double y = pixel(0, logOr(m_tolerance.atol, -60)).y();
            out << QPointF(box.left(), y) << QPointF(left, y);
        }
        for (double x = left; x <= box.right() + 1; x += 2) {
            const double magnitude = std::pow(10.0, coordinate({x, 0}).x());
            Tolerance t = m_tolerance;
            t.rule = rule;
            const double y = pixel(0, logOr(bound(t, magnitude), -60)).y();
            out << QPointF(x, std::clamp(y, box.top() - 40, box.bottom() + 40));
        }
        return out;
    };
    const auto draw = [&](Rule rule) {
        const bool active = rule == frontierRule(m_tolerance.rule);
        QPen halo(color(Token::plot), active ? 3.6 : 2.8), pen(color(Token::outsideFg), active ? 2 : 1.2);
        if (rule == Rule::either)
            pen.setDashPattern({5 / pen.widthF(), 3 / pen.widthF()}), pen.setCapStyle(Qt::FlatCap);
        QColor faint = color(Token::plot);
        faint.setAlphaF(0.55f);
        halo.setColor(faint);
        p.setBrush(Qt::NoBrush);
        if (active) p.setPen(halo), p.drawPolyline(line(rule));
        p.setPen(pen);
        p.drawPolyline(line(rule));
    };
    draw(m_tolerance.rule == Rule::either ? Rule::allclose : Rule::either);
    draw(frontierRule(m_tolerance.rule));
    const QString text = m_tolerance.rule != Rule::either ? tr("sum rule: atol + rtol·|r|")
                                                          : tr("either rule: max(atol, rtol·|r|)");
    const QFont f = divdet::font(FontStep::caption, QFont::Medium);
    const QSizeF size = textSize(text, f);
    const double left = std::max(box.left(), pixel(gutterX(), 0).x()) + 6;
    double y = pixel(0, logOr(m_tolerance.atol, -60)).y() - size.height() - 4;
    if (y < box.top() + 2) y += size.height() + 8;
    if (y > box.top() && y + size.height() < box.bottom())
        drawHaloText(p, QRectF(QPointF(left, y), size), Qt::AlignVCenter, text, f, color(Token::outsideFg),
                     color(Token::plot));
}

void ScatterPlot::paintMarks(QPainter& p) const {
    const QRectF box = area();
    const QFont f = divdet::font(FontStep::caption);
    if (!m_summary || m_grid.largest == 0) {
        p.setFont(divdet::font(FontStep::body));
        p.setPen(color(Token::text2));
        const QString words = !m_problem.isEmpty() ? m_problem
                              : m_summary ? tr("%1 has no pair of finite numbers to draw.").arg(m_name)
                                          : tr("No tap is selected. Click one in the table.");
        p.drawText(box.adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap, words);
        return;
    }
    // Count scale in the upper margin, right-aligned with the axes.
    const QString most = num::count(static_cast<std::uint64_t>(m_grid.largest));
    const QSizeF size = textSize(most, monoFont(FontStep::tick));
    double x = box.right() - size.width();
    const double y = box.top() - 15;
    p.setPen(color(Token::text2));
    p.setFont(monoFont(FontStep::tick));
    p.drawText(QRectF(x, y, size.width() + 1, 12), Qt::AlignVCenter, most);
    const double wide = 70;
    x -= wide + 5;
    for (int i = 0; i < static_cast<int>(wide); ++i)
        p.fillRect(QRectF(x + i, y + 3, 1, 7), rampColor(densityRamp(), 0.22 + 0.78 * i / wide));
    p.drawText(QRectF(x - 12, y, 10, 12), Qt::AlignVCenter | Qt::AlignRight, QStringLiteral("1"));
    p.setFont(f);
    p.drawText(QRectF(box.left(), y, x - 16 - box.left(), 12), Qt::AlignVCenter | Qt::AlignRight,
               tr("count"));
    const std::int64_t apart = m_summary->elements - m_summary->finite;
    if (apart > 0) {
        const QString text =
            tr("%1 with NaN or inf not drawn").arg(num::count(static_cast<std::uint64_t>(apart)));
        const QFont strong = divdet::font(FontStep::caption, QFont::DemiBold);
        drawHaloText(p, QRectF(box.left() + 8, box.top() + 4, box.width() - 16, 14), Qt::AlignLeft, text,
                     strong, color(Token::outsideFg), color(Token::plot));
    }
    if (m_worst) paintRing(p, *m_worst, tr("worst"), Token::text1);
    // One ring is enough where the chosen element is the worst one.
    if (m_chosen &&
        !(m_worst && m_chosen->magnitude == m_worst->magnitude && m_chosen->error == m_worst->error))
        paintRing(p, *m_chosen, tr("chosen"), Token::accent);
}

void ScatterPlot::paintRing(QPainter& p, const Ring& ring, const QString& word, Token ink) const {
    const QRectF box = area();
    const QPointF at = pixelOf(ring);
    if (!box.contains(at)) return;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(color(Token::plot), 4));
    p.drawEllipse(at, 5, 5);
    p.setPen(QPen(color(ink), 2));
    p.drawEllipse(at, 5, 5);
    const QFont strong = divdet::font(FontStep::caption, QFont::Bold);
    const QSizeF room = textSize(word, strong);
    QRectF place(at.x() - 10 - room.width(), at.y() - room.height() / 2, room.width(), room.height());
    if (place.left() < box.left() + 2) place.moveLeft(at.x() + 10);
    place.moveTop(std::max(place.top(), box.top() + 1));
    drawHaloText(p, place, Qt::AlignVCenter, word, strong, color(ink), color(Token::plot));
}

} // namespace divdet
