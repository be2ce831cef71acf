#pragma once
#include "plots/readout.h"
#include <QRectF>
#include <QWidget>
#include <optional>

namespace divdet {

/// Lies over a plot and lets the mouse through: readout and zoom box, so that hovering never replots.
class PlotOverlay : public QWidget {
    Q_OBJECT
public:
    explicit PlotOverlay(QWidget* parent);

    void setReadout(std::optional<Readout> readout, QPointF mouse);
    const std::optional<Readout>& readout() const { return m_readout; }
    void setZoomBox(std::optional<QRectF> box);

protected:
    void paintEvent(QPaintEvent*) override;

private:
    void paintReadout(QPainter& painter) const;

    std::optional<Readout> m_readout;
    QPointF m_mouse;
    std::optional<QRectF> m_box;
};

} // namespace divdet
