#include "plots/plot_overlay.h"
#include "gui/fonts.h"
#include "gui/theme.h"
#include <QFontMetricsF>
#include <QPainter>

namespace divdet {

PlotOverlay::PlotOverlay(QWidget* parent)
    : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
}

void PlotOverlay::setReadout(std::optional<Readout> readout, QPointF mouse) {
    if (!readout && !m_readout) return;
    m_readout = std::move(readout);
    m_mouse = mouse;
    update();
}

void PlotOverlay::setZoomBox(std::optional<QRectF> box) {
    m_box = box;
    update();
}

void PlotOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_box) {
        QColor fill = color(Token::accent);
        fill.setAlphaF(0.12f);
        painter.setPen(QPen(color(Token::accent), 1));
        painter.setBrush(fill);
        painter.drawRect(*m_box);
    }
    if (m_readout && !m_box) paintReadout(painter);
}

void PlotOverlay::paintReadout(QPainter& painter) const {
    const Readout& r = *m_readout;
    const QFont head = divdet::font(FontStep::caption, QFont::Bold), name = divdet::font(FontStep::caption),
                value = monoFont(FontStep::caption);
    const QFontMetricsF headM(head, this), nameM(name, this), valueM(value, this);
    double names = 0, values = 0;
    for (const auto& [n, v] : r.rows) {
        names = std::max(names, nameM.horizontalAdvance(n));
        values = std::max(values, valueM.horizontalAdvance(v));
    }
    const double line = std::max(nameM.height(), valueM.height()) + 1, pad = 7;
    const double wide = std::max(headM.horizontalAdvance(r.title), names + 14 + values) + 2 * pad;
    const double high = headM.height() + line * static_cast<double>(r.rows.size()) + 2 * pad - 2;
    QRectF box(m_mouse + QPointF(18, 18), QSizeF(wide, high));
    if (box.right() > width() - 4) box.moveRight(m_mouse.x() - 18);
    if (box.left() < 4) box.moveLeft(4);
    if (box.bottom() > height() - 4) box.moveBottom(m_mouse.y() - 18);
    if (box.top() < 4) box.moveTop(4);
    painter.setPen(QPen(color(Token::control), 1));
    if (!box.contains(r.anchor))
        painter.drawLine(r.anchor, QPointF(std::clamp(r.anchor.x(), box.left(), box.right()),
                                           std::clamp(r.anchor.y(), box.top(), box.bottom())));
    painter.setBrush(color(Token::panel));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(color(Token::text1));
    painter.setFont(head);
    double y = box.top() + pad + headM.ascent() - 1;
    painter.drawText(QPointF(box.left() + pad, y), r.title);
    y = box.top() + pad + headM.height() + nameM.ascent();
    for (const auto& [n, v] : r.rows) {
        painter.setFont(name);
        painter.setPen(color(Token::text2));
        painter.drawText(QPointF(box.left() + pad, y), n);
        painter.setFont(value);
        painter.setPen(color(Token::text1));
        painter.drawText(QPointF(box.right() - pad - valueM.horizontalAdvance(v), y), v);
        y += line;
    }
}

} // namespace divdet
