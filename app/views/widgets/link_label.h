#pragma once
#include "gui/theme_tokens.h"
#include <QAbstractButton>

namespace divdet {

/// Words that can be clicked: they look like a label, are underlined under the mouse, and take focus.
class LinkLabel : public QAbstractButton {
    Q_OBJECT
public:
    explicit LinkLabel(const QString& text = {}, Token token = Token::text2, QWidget* parent = nullptr);

    void setToken(Token token);
    /// A label that leads nowhere is plain text and takes no focus.
    void setClickable(bool clickable);
    bool clickable() const { return m_clickable; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Token m_token;
    bool m_clickable = true;
};

} // namespace divdet
