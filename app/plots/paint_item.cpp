#include "plots/paint_item.h"
#include <QFontMetricsF>
#include <QPainterPath>

namespace divdet {

PaintItem::PaintItem(QCustomPlot* plot, const QString& layer, bool clip, Draw draw)
    : QCPAbstractItem(plot)
    , m_draw(std::move(draw)) {
    setLayer(layer);
    setClipToAxisRect(clip);
    setSelectable(false);
}

void PaintItem::draw(QCPPainter* painter) {
    painter->save();
    painter->setAntialiasing(true);
    m_draw(*painter);
    painter->restore();
}

void drawHaloText(QPainter& painter, const QRectF& box, int flags, const QString& text, const QFont& font,
                  const QColor& color, const QColor& halo) {
    const QFontMetricsF metrics(font, painter.device());
    const double width = metrics.horizontalAdvance(text);
    double x = box.left();
    if (flags & Qt::AlignRight)
        x = box.right() - width;
    else if (flags & Qt::AlignHCenter)
        x = box.center().x() - width / 2;
    double y = box.top() + metrics.ascent();
    if (flags & Qt::AlignBottom)
        y = box.bottom() - metrics.descent();
    else if (flags & Qt::AlignVCenter)
        y = box.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    QPainterPath glyphs;
    // A path has no hinting; only its outline is needed, the text itself is drawn as text.
    glyphs.addText(QPointF(x, y), font, text);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.strokePath(glyphs, QPen(halo, 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(QPointF(x, y), text);
    painter.restore();
}

QSizeF textSize(const QString& text, const QFont& font) {
    const QFontMetricsF metrics(font);
    return {std::ceil(metrics.horizontalAdvance(text)), std::ceil(metrics.ascent() + metrics.descent())};
}

} // namespace divdet
