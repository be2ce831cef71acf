#include "views/widgets/label.h"
#include "gui/theme.h"
#include <QPainter>

namespace divdet {

Label::Label(const QString& text, FontStep step, Token token, QWidget* parent)
    : QLabel(text, parent)
    , m_token(token) {
    setFont(divdet::font(step));
    setTextFormat(Qt::PlainText);
    takeColor();
    connect(&Theme::current(), &Theme::changed, this, &Label::takeColor);
}

void Label::setToken(Token token) {
    if (m_token == token) return;
    m_token = token;
    takeColor();
}

void Label::takeColor() {
    QPalette own = palette();
    own.setColor(QPalette::WindowText, color(m_token));
    own.setColor(QPalette::Disabled, QPalette::WindowText, color(Token::textDisabled));
    own.setColor(QPalette::Link, color(Token::accent));
    setPalette(own);
}

ElidedLabel::ElidedLabel(const QString& text, FontStep step, Token token, QWidget* parent)
    : QWidget(parent)
    , m_token(token) {
    setFont(divdet::font(step));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setText(text);
}

void ElidedLabel::setText(const QString& text) {
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    updateToolTip();
    update();
}

void ElidedLabel::setToken(Token token) {
    m_token = token;
    update();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
    m_mode = mode;
    update();
}

bool ElidedLabel::elided() const {
    return fontMetrics().horizontalAdvance(m_text) > width();
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    const int some = fontMetrics().horizontalAdvance(QStringLiteral("…"));
    return {qMin(some, sizeHint().width()), fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(color(isEnabled() ? m_token : Token::textDisabled));
    painter.drawText(rect(), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_text, m_mode, width()));
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateToolTip();
}

void ElidedLabel::updateToolTip() {
    setToolTip(elided() ? m_text : QString());
}

} // namespace divdet
