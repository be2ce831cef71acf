#pragma once
#include <QImage>
#include <memory>

#include "plots/map_image.h"
#include "plots/plot_widget.h"
#include "tensor/shape.h"

class QPainter;

namespace divdet {

/// Where the error lies: a heat map over two dims of a tap, each cell the worst of its elements. Rows run
/// down, as the tensor is written. NaN and infinities have colours of their own.
class MapPlot : public PlotWidget {
    Q_OBJECT
public:
    explicit MapPlot(QWidget* parent = nullptr); ///< objectName "mapPlot"

    /// A map of a tensor of this shape. The view stays while dims and extents do.
    void setMap(std::shared_ptr<const ErrorMap> map, const Shape& shape);
    /// Why there is nothing to draw; empties the plot.
    void setProblem(const QString& words);
    /// Flat index of the element that is ringed; −1: none. Nothing is drawn where the cut misses it.
    void setSelected(qint64 element);

    const std::shared_ptr<const ErrorMap>& map() const { return m_map; }
    const MapScale& scale() const { return m_scale; }
    QString problem() const { return m_problem; }
    QPointF place(qint64 row, qint64 column) const; ///< of an element of the slice, px

    QString csv() const override;
    std::vector<LegendItem> legend() const override;

signals:
    void elementPicked(qint64 element); ///< click, arrow keys
    void cutStepped(int direction);     ///< PageDown, PageUp

protected:
    void applyColours() override;
    void fit() override;
    std::optional<Readout> readoutAt(QPointF pos) const override;
    void clicked(QPointF pos) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Cell {
        int row, column;
        std::size_t index;
    };
    std::optional<Cell> cellAt(QPointF pos) const;
    std::optional<QPoint> selectedPlace() const; ///< column, row in the slice
    void step(int rows, int columns);
    const QImage& imageFor(QSizeF whole) const;
    void paintCells(QPainter& p) const;
    void paintRing(QPainter& p) const;
    void paintScale(QPainter& p) const;

    std::shared_ptr<const ErrorMap> m_map;
    Shape m_shape;
    MapScale m_scale;
    mutable QImage m_image;   ///< of cells put together by m_factor
    mutable QSize m_factor{}; ///< empty: to be made
    QString m_problem;
    qint64 m_selected = -1;
};

} // namespace divdet
