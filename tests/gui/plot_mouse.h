#pragma once
#include <QtTest>

#include "plots/plot_widget.h"
#include "plots/qcp.h"

namespace divdet {

/// The mouse over a plot, in pixels of its surface.
inline void mouse(PlotWidget& plot, QEvent::Type type, QPointF at, Qt::MouseButton button = Qt::LeftButton) {
    QCustomPlot& target = plot.customPlot();
    QMouseEvent event(type, at, target.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : button,
                      type == QEvent::MouseButtonPress ? button : Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&target, &event);
}

inline void click(PlotWidget& plot, QPointF at) {
    mouse(plot, QEvent::MouseButtonPress, at);
    mouse(plot, QEvent::MouseButtonRelease, at);
}

} // namespace divdet
