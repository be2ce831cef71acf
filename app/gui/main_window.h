#pragma once
#include <QMainWindow>
#include <memory>

#include "gui/document.h"
#include "gui/exports.h"
#include "gui/options.h"
#include "gui/selection.h"
#include "views/widgets/drop_zone.h"

class QDockWidget;
class QMenuBar;
class QStackedWidget;

namespace divdet {

class Actions;
class AdvisorPage;
class AdvisorPane;
class ComparePage;
class DeterminismPage;
class DropOverlay;
class HuntPage;
class LivePage;
class LogsPage;
class MessageStack;
class StagesPage;
class StatusLine;
class TapsPane;
class ToleranceBox;
class ToolBar;
class ToolPage;
class TriagePage;
class VerdictBlock;
class VerdictPane;
class WindowFiles;

/// Lays out; what happens is in the document, the pages and their helpers.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(std::shared_ptr<Session> session);
    ~MainWindow() override;

    Document& document() { return *m_document; }
    MessageStack* messages() const { return m_messages; }
    LivePage* livePage() const { return m_live; }
    ComparePage* comparePage() const { return m_compare; }
    AdvisorPage* advisorPage() const { return m_advisor; }
    HuntPage* huntPage() const { return m_hunt; }
    StagesPage* stagesPage() const { return m_stages; }
    LogsPage* logsPage() const { return m_logs; }
    DeterminismPage* determinismPage() const { return m_determinism; }
    Selection& selection(Side side) { return side == Side::live ? *m_liveSelection : *m_fileSelection; }

    /// A plot or the inspector is reading elements.
    bool reading() const;
    /// A search is under way whose answer will be drawn in a plot that is shown.
    bool searching() const;
    void showPage(Page page);
    void showPage(Side side) { showPage(side == Side::live ? Page::live : Page::compare); }
    /// On the page of logs these are logs, elsewhere dumps.
    void openFiles(const QStringList& paths, DropSide side = DropSide::automatic);
    /// Files, page, plots and selection of the command line. Settings are the caller's.
    void takeOptions(const Options& options);
    void showShortcuts();

    void saveLayout() const;
    void restoreLayout();
    void defaultLayout();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makePages();
    void makeDocks();
    void makeMenus();
    void connectActions();
    void connectPages();
    void connectKeys();
    TapsPane* taps() const;
    ToleranceBox* toleranceBox() const;
    ToolPage* toolPage() const;         ///< that is shown; null: another page is
    VerdictBlock* verdictBlock() const; ///< of the page that is shown
    void copyCommandLine();
    void huntFor(const QString& finding); ///< which pass makes the judge say that
    void stepPart(int direction);
    void showVerdictDock();
    void showTitle();
    void fitToSize();
    void sizeDocks();
    void hoverAt(const QPointF& at, qsizetype files);

    Document* m_document;
    Selection *m_liveSelection, *m_fileSelection;
    Actions* m_actions;
    WindowFiles* m_windowFiles;
    ToolBar* m_toolBar;
    MessageStack* m_messages;
    QMenuBar* m_menus;
    QStackedWidget *m_pages, *m_controls;
    LivePage* m_live;
    ComparePage* m_compare;
    AdvisorPage* m_advisor;
    HuntPage* m_hunt;
    StagesPage* m_stages;
    LogsPage* m_logs;
    DeterminismPage* m_determinism;
    TriagePage* m_triage;
    VerdictPane* m_verdict;
    AdvisorPane* m_advice;
    QStackedWidget* m_verdicts;
    QDockWidget *m_leftDock, *m_rightDock;
    StatusLine* m_status;
    DropOverlay* m_overlay;
    int m_widthClass = -1;
    bool m_small = false;        ///< too low for all settings of the block
    bool m_settingsAway = false; ///< the left dock is hidden: the page has no settings
    bool m_verdictAway = false;  ///< the right dock is hidden: there is no verdict to show
    bool m_shown = false;
    SaveJob m_saving; ///< last: its destructor waits for the worker
};

} // namespace divdet
