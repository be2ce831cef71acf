#pragma once
#include "plots/plot_widget.h"
#include "plots/scatter_grid.h"
#include <memory>

#include "compare/comparison.h"

class QCPColorMap;

namespace divdet {

/// Where the error lies: density of |candidate − reference| over |reference| on log axes, with the boundaries
/// of both rules. Exact zeros of either stand in gutters at the left and the lower edge, so that no element
/// vanishes.
class ScatterPlot : public PlotWidget {
    Q_OBJECT
public:
    explicit ScatterPlot(QWidget* parent = nullptr);

    /// Null or a pair without summary empties the plot; the pair is not kept.
    void setPair(const TapPair* pair);
    void setSummary(std::shared_ptr<const Summary> summary, const QString& name);
    void setTolerance(const Tolerance& tolerance);
    /// A second ring around an element that was chosen; forgotten with the next pair.
    void setChosen(double reference, double candidate);
    void clearChosen();

    const ScatterGrid& grid() const { return m_grid; }
    QString csv() const override;
    std::vector<LegendItem> legend() const override;

signals:
    void elementPicked(qint64 index);    ///< the ringed element was clicked; flat, row-major index
    void binPicked(int column, int row); ///< a cell of the histogram was clicked; it holds elements

protected:
    void applyColours() override;
    void fit() override;
    std::optional<Readout> readoutAt(QPointF pos) const override;
    void clicked(QPointF pos) override;

private:
    struct Bin {
        bool zeroReference, zeroError;
        int column, row; ///< of the histogram; 0 where zero
        std::int64_t count;
    };
    struct Ring {
        double magnitude, error;
        std::int64_t index; ///< -1: not known
    };
    std::optional<Bin> binAt(QPointF pos) const;
    QPointF ringPixel() const { return pixelOf(*m_worst); }
    QPointF pixelOf(const Ring& ring) const;
    void paintRing(QPainter& p, const Ring& ring, const QString& word, Token ink) const;
    void remakeMap();
    void paintGutter(QPainter& p) const;
    void paintBounds(QPainter& p) const;
    void paintMarks(QPainter& p) const;
    double gutterX() const; ///< right edge of the strip of references that are zero, log10
    double gutterY() const;

    std::shared_ptr<const Summary> m_summary;
    QString m_name, m_problem;
    Tolerance m_tolerance;
    ScatterGrid m_grid;
    std::optional<Ring> m_worst, m_chosen;
    QCPColorMap* m_map;
};

} // namespace divdet
