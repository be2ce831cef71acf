#pragma once
#include <QWidget>

#include "gui/theme_tokens.h"

namespace divdet {

/// The title bar of a dock: a thin strip to drag by, with a grip that shows under the mouse, so that the
/// heads of docks and centre stand on one line.
class DockTitle : public QWidget {
    Q_OBJECT
public:
    explicit DockTitle(QWidget* parent = nullptr);
    /// What lies below, so that the strip is part of it; `band` px at the left in `bandColour`.
    void setGround(Token ground, Token bandColour, int band);
    QSize sizeHint() const override { return {60, 6}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    Token m_ground = Token::panel, m_bandColour = Token::panel;
    int m_band = 0;
    bool m_hovered = false;
};

} // namespace divdet
