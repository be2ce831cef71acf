#pragma once
#include <memory>

#include "plots/depth_points.h"
#include "plots/plot_widget.h"

namespace divdet {

/// How far each tap lies from what theory expects, along depth: rms z and the largest |z| on a log axis over
/// the band in which honest runs lie. Taps that are a bug or unclear are marked.
class DepthPlot : public PlotWidget {
    Q_OBJECT
public:
    explicit DepthPlot(QWidget* parent = nullptr);

    /// `classesPending`: z is still being settled.
    void setData(std::shared_ptr<const Comparison> comparison, bool classesPending = false);
    void setSelectedTap(const QString& tap);
    const std::vector<DepthPoint>& points() const { return m_points; }
    QPointF place(int point) const; ///< of its rms z, px; at the edge where the value lies beyond it

    QString csv() const override;
    std::vector<LegendItem> legend() const override;

signals:
    void tapSelected(const QString& tap); ///< click, arrow keys

protected:
    void applyColours() override;
    void fit() override;
    std::optional<Readout> readoutAt(QPointF pos) const override;
    void clicked(QPointF pos) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool empty() const;
    int pointAt(QPointF pos) const;
    int selected() const;
    double yOf(double z) const;
    void paintBand(QPainter& p) const;
    void paintCurves(QPainter& p) const;
    void paintTexts(QPainter& p) const;

    std::shared_ptr<const Comparison> m_comparison;
    std::vector<DepthPoint> m_points;
    QString m_tap;
    bool m_pending = false;
};

} // namespace divdet
