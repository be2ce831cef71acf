#pragma once
#include <QWidget>

#include "gui/document.h"
#include "gui/selection.h"

class QLabel;
class QSplitter;

namespace divdet {

class BlockBox;
class DepthPlot;
class FaultsPlot;
class PassTree;
class PlotArea;
class ScatterPlot;
class TapPlots;
class TapsPane;
class ToleranceBox;
class TolerancePlot;

/// The running block: plots over the taps table. Its controls are a widget of their own for the left dock.
class LivePage : public QWidget {
    Q_OBJECT
public:
    LivePage(Document* document, Selection* selection, QWidget* parent = nullptr); ///< objectName "livePage"

    QWidget* controls() const { return m_controls; }
    BlockBox* blockBox() const { return m_block; }
    ToleranceBox* toleranceBox() const { return m_tolerance; }
    PassTree* passTree() const { return m_passes; }
    PlotArea* plots() const { return m_plots; }
    TapsPane* taps() const { return m_taps; }
    TapPlots* tapPlots() const { return m_tapPlots; }
    QString commandLine() const;
    /// Where an element lies: the map comes into view.
    void showPlace() const;
    /// Rings the element that the inspector shows, where the user chose it.
    void showElement(double reference, double candidate, bool chosen);

    /// Height of the table's part.
    void setTapsHeight(int height);
    void setNarrow(bool narrow);

signals:
    void commandLineRequested();
    /// A cell of the selected tap's histogram was clicked.
    void binPicked(int column, int row);

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeControls();
    void makePlots();
    void connectPlots();
    void showResult();
    void showTolerance();
    void showSane();
    void showScatter();
    void showDepth();
    void ringChosen();
    void dragged(double rtol, double atol);
    void showShownPlots();

    Document* m_document;
    Selection* m_selection;
    QWidget* m_controls = nullptr;
    BlockBox* m_block = nullptr;
    PassTree* m_passes = nullptr;
    ToleranceBox* m_tolerance = nullptr;
    class PlotStrip* m_strip = nullptr;
    PlotArea* m_plots = nullptr;
    FaultsPlot* m_faults = nullptr;
    TolerancePlot* m_plane = nullptr;
    ScatterPlot* m_scatter = nullptr;
    DepthPlot* m_depth = nullptr;
    TapPlots* m_tapPlots = nullptr;
    TapsPane* m_taps = nullptr;
    QSplitter* m_split = nullptr;
    bool m_dragging = false;
    struct Chosen {
        QString tap;
        double reference, candidate;
    };
    std::optional<Chosen> m_chosen; ///< the element to ring, as soon as its tap is in the plot
};

} // namespace divdet
