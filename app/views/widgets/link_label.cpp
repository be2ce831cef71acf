#include "views/widgets/link_label.h"
#include "gui/fonts.h"
#include "gui/theme.h"
#include <QKeyEvent>
#include <QPainter>

namespace divdet {

LinkLabel::LinkLabel(const QString& text, Token token, QWidget* parent)
    : QAbstractButton(parent)
    , m_token(token) {
    setText(text);
    setFont(divdet::font(FontStep::body));
    setClickable(true);
}

void LinkLabel::setToken(Token token) {
    m_token = token;
    update();
}

void LinkLabel::setClickable(bool clickable) {
    m_clickable = clickable;
    setFocusPolicy(clickable ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAttribute(Qt::WA_TransparentForMouseEvents, !clickable);
    update();
}

QSize LinkLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + 2, fontMetrics().height() + 2};
}

void LinkLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QFont used = font();
    used.setUnderline(m_clickable && underMouse());
    painter.setFont(used);
    painter.setPen(color(isEnabled() ? m_token : Token::textDisabled));
    painter.drawText(rect().adjusted(1, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
    if (!hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Token::accent), 1.5));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);
}

void LinkLabel::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void LinkLabel::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

void LinkLabel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

} // namespace divdet
