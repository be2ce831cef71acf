#pragma once
#include <QList>
#include <QPair>
#include <QPointF>
#include <QString>

namespace divdet {

/// What a plot says about the place under the mouse.
struct Readout {
    QPointF anchor; ///< the point it speaks of, in pixels of the plot; a leader line goes there
    QString title;
    QList<QPair<QString, QString>> rows; ///< name, value with unit
};

} // namespace divdet
