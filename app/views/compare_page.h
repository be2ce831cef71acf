#pragma once
#include <QWidget>

#include "gui/document.h"
#include "gui/selection.h"
#include "views/widgets/drop_zone.h"

class QProgressBar;
class QPushButton;
class QSplitter;
class QStackedLayout;

namespace divdet {

class CompareDock;
class Label;
class PlotArea;
class StartPage;
class TapMatrix;
class TapPlots;
class TapsPane;

/// Opened files: progress, candidates × taps, the taps of the selected candidate; the start page while there
/// is nothing to compare.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    ComparePage(Document* document, Selection* selection,
                QWidget* parent = nullptr); ///< objectName "comparePage"

    QWidget* controls() const { return m_controls; } ///< for the left dock
    CompareDock* dock() const { return m_dock; }
    TapsPane* taps() const { return m_taps; }
    /// Histogram and map of the selected tap; hidden until one is asked for.
    PlotArea* plots() const { return m_plots; }
    TapPlots* tapPlots() const { return m_tapPlots; }
    /// One or two plots; none hides them.
    void showPlots(const QStringList& names);
    void showPlace();
    StartPage* startPage() const { return m_start; }
    void setNarrow(bool narrow);
    QString commandLine() const; ///< empty: nothing to compare

signals:
    void openReferenceRequested();
    void addCandidateRequested();
    void openRequested();
    void livePageRequested();
    void filesDropped(const QStringList& paths, divdet::DropSide side);
    void commandLineRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeProgress();
    QWidget* makePlots();
    void showPlotButtons();
    QWidget* makeMatrix();
    void showResult();
    void showMatrix();
    void showProgress();
    void showSelection();

    Document* m_document;
    Selection* m_selection;
    QWidget* m_controls = nullptr;
    CompareDock* m_dock = nullptr;
    QStackedLayout* m_stack = nullptr;
    StartPage* m_start = nullptr;
    QWidget* m_progress = nullptr;
    Label* m_progressWhat = nullptr;
    Label* m_progressCount = nullptr;
    QProgressBar* m_bar = nullptr;
    QPushButton* m_byError = nullptr;
    QPushButton* m_byVerdict = nullptr;
    QPushButton* m_command = nullptr;
    QWidget* m_colourBy = nullptr;
    QSplitter* m_split = nullptr;
    QWidget* m_plotPane = nullptr;
    PlotArea* m_plots = nullptr;
    TapPlots* m_tapPlots = nullptr;
    QPushButton *m_histogramButton = nullptr, *m_mapButton = nullptr;
    std::size_t m_matrixRows = 0;
    std::vector<int> m_rowCandidates; ///< candidate of each row of the matrix
    TapMatrix* m_matrix = nullptr;
    TapsPane* m_taps = nullptr;
};

} // namespace divdet
