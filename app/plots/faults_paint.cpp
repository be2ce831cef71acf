// How FaultsPlot draws its rows; pixels are known here.
#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "models/verdict_look.h"
#include "plots/faults_plot.h"
#include "plots/paint_item.h"

namespace divdet {
namespace {

/// Heights of a row's parts, px: they shrink with many passes.
struct RowMetrics {
    double abs, rel, gap;
    bool twoLines, values;
    explicit RowMetrics(double row)
        : abs(std::clamp(row * 0.30, 3.0, 15.0))
        , rel(std::clamp(row * 0.28, 3.0, 14.0))
        , gap(row >= 40   ? 5
              : row >= 20 ? 2
                          : 1)
        , twoLines(row >= 34)
        , values(row >= 26) {}
};

} // namespace

void FaultsPlot::paintBands(QPainter& p) const {
    if (m_rows.empty()) p.fillRect(rect(), color(Token::panel));
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        const FaultRow& row = m_rows[static_cast<std::size_t>(i)];
        const QRectF box = rowRect(i);
        if (row.together) {
            p.fillRect(QRectF(QPointF(area().left(), box.top()), box.bottomRight()), color(Token::alt));
            p.setPen(QPen(color(Token::border), 1));
            p.drawLine(QPointF(area().left(), box.top()), box.topRight());
        }
        if (row.id == m_selected)
            p.fillRect(QRectF(box.left() + 6, box.top() + 2, area().left() - 8, box.height() - 4),
                       color(Token::selection));
    }
}

void FaultsPlot::paintBars(QPainter& p) const {
    const QRectF box = area();
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        const FaultRow& row = m_rows[static_cast<std::size_t>(i)];
        if (row.pending) continue;
        const RowMetrics m(rowRect(i).height());
        const VerdictLook look = lookOf(row.verdict);
        const double top = rowRect(i).center().y() - (m.abs + m.gap + m.rel) / 2;
        const double absEnd = xOf(row.maxAbs), relEnd = xOf(row.maxRel);
        p.setPen(Qt::NoPen);
        p.setBrush(color(look.solid));
        p.drawRoundedRect(QRectF(QPointF(box.left() - 4, top), QPointF(absEnd, top + m.abs)), 2, 2);
        p.setPen(QPen(color(look.solid), 1));
        p.setBrush(Theme::current().blend(look.solid, Token::plot, 0.2));
        const QRectF rel(QPointF(box.left() - 4, top + m.abs + m.gap),
                         QPointF(relEnd, top + m.abs + m.gap + m.rel));
        p.drawRoundedRect(rel.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        const double tick = xOf(row.needsRtol);
        const double reach = std::min(12.0, (rowRect(i).height() - m.abs - m.gap - m.rel) / 2 - 1);
        if (row.needsRtol > 0) {
            const QRectF mark(QPointF(tick - 1, top - reach),
                              QPointF(tick + 1, top + m.abs + m.gap + m.rel + reach));
            p.fillRect(mark.adjusted(-1.5, 0, 1.5, 0), color(row.together ? Token::alt : Token::plot));
            p.fillRect(mark, color(Token::text1));
        }
    }
}

void FaultsPlot::paintValues(QPainter& p) const {
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        const FaultRow& row = m_rows[static_cast<std::size_t>(i)];
        const RowMetrics m(rowRect(i).height());
        if (row.pending || !m.values) continue;
        const VerdictLook look = lookOf(row.verdict);
        const double top = rowRect(i).center().y() - (m.abs + m.gap + m.rel) / 2;
        const double absEnd = xOf(row.maxAbs), relEnd = xOf(row.maxRel), tick = xOf(row.needsRtol);
        const bool bad = !std::isfinite(row.needsRtol);
        paintValue(p, row.maxAbs, absEnd, top + m.abs / 2, tick, color(bad ? look.fg : Token::text1));
        paintValue(p, row.maxRel, relEnd, top + m.abs + m.gap + m.rel / 2, tick,
                   color(bad ? look.fg : Token::text1));
    }
}

void FaultsPlot::paintValue(QPainter& p, double value, double barEnd, double y, double tick,
                            const QColor& ink) const {
    const QString text = num::shortError(value);
    const QFont mono = monoFont(FontStep::caption);
    const QSizeF size = textSize(text, mono);
    double left = std::max(barEnd, area().left()) + 5;
    if (tick > left - 5 && tick < left + size.width() + 3) left = tick + 5;
    left = std::min(left, area().right() - size.width() - 3);
    drawHaloText(p, QRectF(QPointF(left, y - size.height() / 2), size), Qt::AlignVCenter, text, mono,
                 value == 0 ? color(Token::text3) : ink, color(Token::plot));
}

void FaultsPlot::paintLabels(QPainter& p) const {
    if (m_rows.empty()) {
        p.setFont(divdet::font(FontStep::body));
        p.setPen(color(Token::text2));
        const QString words = m_live ? tr("No pass is on, so reference and candidate are the same program. "
                                          "Turn on reassociate to see drift.")
                                     : tr("Nothing has run yet. Run the block to see what each pass does.");
        p.drawText(QRectF(rect()).adjusted(24, 16, -24, -16), Qt::AlignCenter | Qt::TextWordWrap, words);
        return;
    }
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        const FaultRow& row = m_rows[static_cast<std::size_t>(i)];
        const QRectF box = rowRect(i);
        QString second = row.variant;
        if (row.bug) second += second.isEmpty() ? tr("bug") : tr(" · bug");
        const bool two = RowMetrics(box.height()).twoLines && !second.isEmpty();
        const bool small = box.height() < 17;
        const double y = box.center().y();
        const VerdictLook look = lookOf(row.verdict);
        drawIcon(p, row.pending ? QStringLiteral("clock") : look.icon, row.pending ? Token::text3 : look.fg,
                 small ? QRectF(13, y - 5, 10, 10) : QRectF(12, y - (two ? 12 : 6), 12, 12));
        const QFont sub = divdet::font(FontStep::caption);
        const double wide = area().left() - 30 - 4;
        const QString name = row.together ? tr("All together") : row.id;
        p.setFont(divdet::font(small ? FontStep::caption : FontStep::body, QFont::DemiBold));
        p.setPen(color(Token::text1));
        const QFontMetricsF metrics(p.font());
        p.drawText(QRectF(30, y - (two ? 16 : 8), wide, 16), Qt::AlignVCenter,
                   metrics.elidedText(name, Qt::ElideRight, wide));
        if (!two) continue;
        p.setFont(sub);
        p.setPen(color(Token::text3));
        p.drawText(QRectF(30, y, wide, 15), Qt::AlignVCenter,
                   QFontMetricsF(sub).elidedText(second, Qt::ElideRight, wide));
    }
}

void FaultsPlot::paintTolerance(QPainter& p) const {
    if (m_rows.empty()) return;
    const QRectF box = area();
    const double x = std::clamp(xOf(m_tolerance.rtol), box.left(), box.right());
    p.setPen(QPen(color(Token::accent), 1.5, Qt::CustomDashLine, Qt::FlatCap));
    QPen dashed = p.pen();
    dashed.setDashPattern({2, 2}); // 3 px at 1.5 px width
    p.setPen(dashed);
    p.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
    const QFont f = divdet::font(FontStep::caption, QFont::DemiBold);
    const QString text = tr("rtol %1").arg(num::tolerance(m_tolerance.rtol));
    const QSizeF size = textSize(text, f);
    QRectF tag(x - size.width() / 2 - 6, box.top() - 21, size.width() + 12, 17);
    tag.moveLeft(std::clamp(tag.left(), 2.0, std::max(2.0, width() - tag.width() - 2)));
    p.setPen(Qt::NoPen);
    p.setBrush(color(Token::accent));
    p.drawRoundedRect(tag, 3, 3);
    p.setPen(color(Token::onAccent));
    p.setFont(f);
    p.drawText(tag, Qt::AlignCenter, text);
}

} // namespace divdet
