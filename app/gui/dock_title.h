#pragma once
#include <QWidget>

namespace divdet {

/// The title bar of a dock: a thin strip to drag by, with a grip that shows under the mouse, so that the
/// heads of docks and centre stand on one line.
class DockTitle : public QWidget {
    Q_OBJECT
public:
    explicit DockTitle(QWidget* parent = nullptr);
    QSize sizeHint() const override { return {60, 6}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    bool m_hovered = false;
};

} // namespace divdet
