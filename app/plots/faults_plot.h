#pragma once
#include "plots/fault_rows.h"
#include "plots/plot_widget.h"
#include <memory>

namespace divdet {

/// Error of every pass alone and of all together: max abs and max rel on one log axis, each row in the colour
/// of its verdict at the current tolerance, with the rtol it needs. A needed rtol left of the dashed line is
/// within.
class FaultsPlot : public PlotWidget {
    Q_OBJECT
public:
    explicit FaultsPlot(QWidget* parent = nullptr);

    void setData(std::shared_ptr<const LiveResult> live);
    void setTolerance(const Tolerance& tolerance);
    void setSelectedPass(const QString& id);
    const std::vector<FaultRow>& rows() const { return m_rows; }

    QString csv() const override;
    std::vector<LegendItem> legend() const override;
    QRectF rowRect(int row) const; ///< px, over the whole width

signals:
    void passSelected(QString id);       ///< click, arrow keys; "all together" for the last row
    void passAloneRequested(QString id); ///< double-click, Enter; never for all together

protected:
    void applyColours() override;
    void fit() override;
    std::optional<Readout> readoutAt(QPointF pos) const override;
    void clicked(QPointF pos) override;
    void doubleClicked(QPointF pos) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int rowAt(QPointF pos) const;
    void remake();
    void paintBands(QPainter& p) const;
    void paintBars(QPainter& p) const;
    void paintValues(QPainter& p) const;
    void paintLabels(QPainter& p) const;
    void paintTolerance(QPainter& p) const;
    void paintValue(QPainter& p, double value, double barEnd, double y, double tick, const QColor& ink) const;
    double xOf(double value) const;

    std::shared_ptr<const LiveResult> m_live;
    Tolerance m_tolerance;
    std::vector<FaultRow> m_rows;
    QString m_selected;
};

} // namespace divdet
