#pragma once
#include "plots/qcp.h"
#include <functional>

namespace divdet {

/// An item that is drawn by a function, in pixels: bands, rows, handles, labels. Drawn after layout, so axes
/// already convert.
class PaintItem : public QCPAbstractItem {
public:
    using Draw = std::function<void(QCPPainter&)>;
    PaintItem(QCustomPlot* plot, const QString& layer, bool clip, Draw draw);

    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;

private:
    Draw m_draw;
};

/// Text with a 3 px halo of the plot's colour behind the glyphs, so that it can lie on curves and grids.
/// `box` with `flags` as QPainter::drawText takes them; single lines.
void drawHaloText(QPainter& painter, const QRectF& box, int flags, const QString& text, const QFont& font,
                  const QColor& color, const QColor& halo);

/// The room drawHaloText needs for a text.
QSizeF textSize(const QString& text, const QFont& font);

} // namespace divdet
