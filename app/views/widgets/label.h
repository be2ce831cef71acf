#pragma once
#include "gui/fonts.h"
#include "gui/theme_tokens.h"
#include <QLabel>

namespace divdet {

/// A QLabel in a step of the type scale and the colour of a token, through theme changes. Wraps when asked.
class Label : public QLabel {
    Q_OBJECT
public:
    explicit Label(const QString& text = {}, FontStep step = FontStep::body, Token token = Token::text1,
                   QWidget* parent = nullptr);

    void setToken(Token token);
    Token token() const { return m_token; }

private:
    void takeColor();
    Token m_token;
};

/// One line that ends in "…" when it is too long (QLabel does not); the whole text is then its tooltip.
class ElidedLabel : public QWidget {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& text = {}, FontStep step = FontStep::body, Token token = Token::text2,
                         QWidget* parent = nullptr);

    void setText(const QString& text);
    QString text() const { return m_text; }
    void setToken(Token token);
    void setElideMode(Qt::TextElideMode mode);
    bool elided() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateToolTip();
    QString m_text;
    Token m_token;
    Qt::TextElideMode m_mode = Qt::ElideRight;
};

} // namespace divdet
