#include "gui/dock_title.h"

#include <QPainter>

#include "gui/theme.h"

namespace divdet {

DockTitle::DockTitle(QWidget* parent)
    : QWidget(parent) {
    setCursor(Qt::SizeAllCursor);
    setToolTip(tr("Drag to move this part of the window"));
}

void DockTitle::setGround(Token ground, Token bandColour, int band) {
    m_ground = ground;
    m_bandColour = bandColour;
    m_band = band;
    update();
}

void DockTitle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), color(m_ground));
    painter.fillRect(0, 0, m_band, height(), color(m_bandColour));
    if (!m_hovered) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Token::control));
    for (int i = -2; i <= 2; ++i)
        painter.drawEllipse(QPointF(width() / 2.0 + i * 7, height() / 2.0), 1.3, 1.3);
}

void DockTitle::enterEvent(QEnterEvent*) {
    m_hovered = true;
    update();
}

void DockTitle::leaveEvent(QEvent*) {
    m_hovered = false;
    update();
}

} // namespace divdet
