#pragma once
#include "plots/histogram_bars.h"
#include "plots/plot_widget.h"

class QPainter;

namespace divdet {

/// How a tap's errors are spread: z, with the normal curve that theory expects, or signed ulps. Counts on a
/// log or a linear axis.
class HistogramPlot : public PlotWidget {
    Q_OBJECT
public:
    explicit HistogramPlot(QWidget* parent = nullptr); ///< objectName "histogramPlot"

    void setScene(const HistogramScene& scene);
    /// Why there is nothing to draw; empties the plot.
    void setProblem(const QString& words);
    void setLogCounts(bool log);
    bool logCounts() const { return m_log; }
    const HistogramScene& scene() const { return m_scene; }
    QString problem() const { return m_problem; }
    QPointF place(int bar) const; ///< the middle of a bar, px

    QString csv() const override;
    std::vector<LegendItem> legend() const override;

protected:
    void fit() override;
    std::optional<Readout> readoutAt(QPointF pos) const override;

private:
    int barAt(QPointF pos) const;
    double yOf(double count) const; ///< axis coordinate
    double base() const;            ///< of the bars, axis coordinate
    void paintBars(QPainter& p) const;
    void paintExpected(QPainter& p) const;
    void paintTexts(QPainter& p) const;

    HistogramScene m_scene;
    QString m_problem;
    bool m_log = true;
};

} // namespace divdet
