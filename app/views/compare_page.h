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
class StartPage;
class TapMatrix;
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

private:
    QWidget* makeProgress();
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
    std::size_t m_matrixRows = 0;
    std::vector<int> m_rowCandidates; ///< candidate of each row of the matrix
    TapMatrix* m_matrix = nullptr;
    TapsPane* m_taps = nullptr;
};

} // namespace divdet
