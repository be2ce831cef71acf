#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QTableView>

#include "dialogs/about_dialog.h"
#include "dialogs/shortcuts_dialog.h"
#include "gui/actions.h"
#include "gui/exports.h"
#include "gui/main_window.h"
#include "gui/theme.h"
#include "gui/window_files.h"
#include "plots/plot_widget.h"
#include "views/advisor_page.h"
#include "views/advisor_pane.h"
#include "views/compare_dock.h"
#include "views/compare_page.h"
#include "views/determinism_page.h"
#include "views/element_inspector.h"
#include "views/hunt_page.h"
#include "views/live_page.h"
#include "views/logs_page.h"
#include "views/plot_area.h"
#include "views/stages_page.h"
#include "views/start_page.h"
#include "views/tap_plots.h"
#include "views/taps_pane.h"
#include "views/tolerance_box.h"
#include "views/triage_page.h"
#include "views/verdict_pane.h"
#include "views/widgets/message_stack.h"
#include "views/widgets/verdict_block.h"

/// The window's menus, and what its actions do.
namespace divdet {

TapsPane* MainWindow::taps() const {
    return m_document->side() == Side::live ? m_live->taps() : m_compare->taps();
}

ToleranceBox* MainWindow::toleranceBox() const {
    return m_document->side() == Side::live ? m_live->toleranceBox() : m_compare->dock()->toleranceBox();
}

bool MainWindow::reading() const {
    return m_live->tapPlots()->running() || m_compare->tapPlots()->running() ||
           m_verdict->inspector()->running();
}

bool MainWindow::searching() const {
    return m_document->sane().running() && m_live->isVisible() &&
           m_live->plots()->shown().contains(QStringLiteral("tolerance"));
}

VerdictBlock* MainWindow::verdictBlock() const {
    return m_document->page() == Page::advisor ? m_advice->block() : m_verdict->block();
}

void MainWindow::makeMenus() {
    Actions& a = *m_actions;
    QMenu* file = m_menus->addMenu(tr("&File"));
    file->addActions({a.openCandidate, a.openReference, a.swapReference, a.closeFiles});
    file->addSeparator();
    file->addActions({a.saveResult, a.exportReport, a.exportPlot, a.exportTaps});
    file->addSeparator();
    file->addAction(a.quit);
    QMenu* edit = m_menus->addMenu(tr("&Edit"));
    edit->addActions({a.undo, a.redo});
    edit->addSeparator();
    edit->addActions({a.copyVerdict, a.copyCommand});
    edit->addSeparator();
    edit->addActions({a.filter, a.back, a.forward});
    QMenu* view = m_menus->addMenu(tr("&View"));
    view->addActions(a.pages());
    view->addSeparator();
    view->addActions({a.onePlot, a.twoPlots, a.resetZoom});
    view->addSeparator();
    QMenu* theme = view->addMenu(tr("&Theme"));
    theme->addActions({a.themeSystem, a.themeLight, a.themeDark});
    view->addActions({m_leftDock->toggleViewAction(), m_rightDock->toggleViewAction()});
    view->addAction(a.defaultLayout);
    QMenu* running = m_menus->addMenu(tr("&Run"));
    running->addActions({a.run, a.cancel});
    QMenu* help = m_menus->addMenu(tr("&Help"));
    help->addActions({a.shortcuts, a.about});
    addActions(a.windowWide());
}

void MainWindow::connectActions() {
    Actions& a = *m_actions;
    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    on(a.openCandidate,
       [this] { m_document->page() == Page::logs ? m_logs->askForFiles() : m_windowFiles->askFor(false); });
    on(a.openReference, [this] { m_windowFiles->askFor(true); });
    on(a.swapReference, [this] { m_document->files().swapReference(); });
    on(a.closeFiles, [this] {
        m_document->files().clear();
        m_compare->startPage()->refreshRecent();
    });
    on(a.quit, [this] { close(); });
    on(a.run, [this] { m_document->rerun(); });
    on(a.cancel, [this] { m_document->cancel(); });
    on(a.pageLive, [this] { showPage(Side::live); });
    on(a.pageCompare, [this] { showPage(Side::compare); });
    on(a.pageAdvisor, [this] { showPage(Page::advisor); });
    on(a.pageHunt, [this] { showPage(Page::hunt); });
    on(a.pageStages, [this] { showPage(Page::stages); });
    on(a.pageLogs, [this] { showPage(Page::logs); });
    on(a.pageDeterminism, [this] { showPage(Page::determinism); });
    on(a.pageTriage, [this] { showPage(Page::triage); });
    on(a.onePlot, [this] { m_live->plots()->setLayoutCount(1); });
    on(a.twoPlots, [this] { m_live->plots()->setLayoutCount(2); });
    on(a.resetZoom, [this] {
        if (PlotWidget* plot = m_live->plots()->active()) plot->reset();
    });
    on(a.defaultLayout, [this] { defaultLayout(); });
    on(a.copyVerdict, [this] {
        const QString text = verdictMarkdown(verdictBlock()->content());
        const bool advisor = m_document->page() == Page::advisor;
        // Of the verdict's own question: the form may be ahead of it.
        const QString subject =
            advisor ? QString::fromStdString(commandLine(m_document->advisor().shownRequest()))
                    : VerdictPane::subject(*m_document);
        QApplication::clipboard()->setText(subject + QLatin1String("\n\n") + text);
    });
    on(a.copyCommand, [this] { copyCommandLine(); });
    on(a.exportPlot,
       [this] { savePlot(this, *m_document, m_live->plots()->active(), QStringLiteral("svg")); });
    on(a.exportReport, [this] { exportReport(this, *m_document, m_saving); });
    on(a.saveResult, [this] { saveResult(this, *m_document, m_saving); });
    on(a.exportTaps, [this] {
        saveText(this, *m_document, tr("Save the taps"), QStringLiteral("taps.csv"), taps()->csv());
    });
    on(a.filter, [this] {
        if (m_document->page() == Page::logs) return logsPage()->focusSearch();
        taps()->focusFilter();
    });
    on(a.back, [this] { selection(m_document->side()).back(); });
    on(a.forward, [this] { selection(m_document->side()).forward(); });
    on(a.nextPart, [this] { stepPart(1); });
    on(a.previousPart, [this] { stepPart(-1); });
    on(a.messages, [this] { m_messages->focusNewest(); });
    on(a.shortcuts, [this] { showShortcuts(); });
    on(a.about, [this] { showAbout(this); });
    const std::pair<QAction*, ThemeChoice> themes[] = {{a.themeSystem, ThemeChoice::system},
                                                       {a.themeLight, ThemeChoice::light},
                                                       {a.themeDark, ThemeChoice::dark}};
    for (const auto& [action, choice] : themes) {
        action->setChecked(Theme::current().choice() == choice);
        connect(action, &QAction::triggered, this, [choice = choice] {
            Theme::apply(*qApp, choice);
            QSettings().setValue(QStringLiteral("theme"), themeChoiceName(choice));
        });
    }
    const auto showState = [this] {
        const bool live = m_document->page() == Page::live, files = m_document->page() == Page::compare;
        m_actions->exportPlot->setEnabled(live);
        m_actions->copyVerdict->setEnabled(live || files || m_document->page() == Page::advisor);
        m_actions->exportReport->setEnabled((live || files) && canExport(*m_document));
        m_actions->saveResult->setEnabled((live || files) && canSaveResult(*m_document));
        m_actions->swapReference->setEnabled(files && m_document->files().canCompare());
        m_actions->closeFiles->setEnabled(!m_document->files().isEmpty());
        m_actions->back->setEnabled(selection(m_document->side()).canGoBack());
        m_actions->forward->setEnabled(selection(m_document->side()).canGoForward());
    };
    const auto showCancel = [this] {
        m_actions->cancel->setEnabled(m_document->busy() || m_document->sane().running());
    };
    connect(m_document, &Document::sideChanged, this, showState);
    connect(m_document, &Document::busyChanged, this, showState);
    connect(m_document, &Document::busyChanged, this, showCancel);
    connect(&m_document->sane(), &SaneFinder::changed, this, showCancel);
    connect(m_document, &Document::resultChanged, this, showState);
    connect(m_document, &Document::resultChanged, this, &MainWindow::showVerdictDock);
    connect(m_liveSelection, &Selection::changed, this, showState);
    connect(m_fileSelection, &Selection::changed, this, showState);
    showState();
    showCancel();
}

void MainWindow::connectPages() {
    for (ToolPage* tool : m_pages->findChildren<ToolPage*>(Qt::FindDirectChildrenOnly)) {
        connect(tool, &ToolPage::commandLineRequested, this, &MainWindow::copyCommandLine);
        connect(tool, &ToolPage::livePageRequested, this, [this] { showPage(Page::live); });
    }
    connect(&m_document->logs(), &LogsSide::sourceChanged, this, &MainWindow::showTitle);
    connect(m_triage, &TriagePage::pageRequested, this, qOverload<Page>(&MainWindow::showPage));
    connect(m_live, &LivePage::commandLineRequested, this, &MainWindow::copyCommandLine);
    for (PlotArea* plots : {m_live->plots(), m_compare->plots()})
        connect(plots, &PlotArea::exportRequested, this, [this](PlotWidget* plot, const QString& suffix) {
            savePlot(this, *m_document, plot, suffix);
        });
    connect(m_compare, &ComparePage::openReferenceRequested, this, [this] { m_windowFiles->askFor(true); });
    connect(m_compare, &ComparePage::addCandidateRequested, this, [this] { m_windowFiles->askFor(false); });
    connect(m_compare, &ComparePage::openRequested, this, [this] { m_windowFiles->askFor(false); });
    connect(m_compare, &ComparePage::filesDropped, this, &MainWindow::openFiles);
    connect(m_compare, &ComparePage::livePageRequested, this, [this] { showPage(Side::live); });
    connect(m_compare, &ComparePage::commandLineRequested, this, &MainWindow::copyCommandLine);
    connect(m_windowFiles, &WindowFiles::opened, this, [this] { showPage(Side::compare); });
}

void MainWindow::connectKeys() {
    Actions& a = *m_actions;
    m_pages->addActions(a.singleKeys());
    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    on(a.onlyBad, [this] { taps()->toggleOnlyBad(); });
    on(a.nextBad, [this] { taps()->stepBad(1); });
    on(a.previousBad, [this] { taps()->stepBad(-1); });
    on(a.rtolUp, [this] { toleranceBox()->stepRtol(1); });
    on(a.rtolDown, [this] { toleranceBox()->stepRtol(-1); });
    on(a.presetBf16, [this] { toleranceBox()->takePreset(QStringLiteral("bf16")); });
    on(a.presetFp32, [this] { toleranceBox()->takePreset(QStringLiteral("fp32")); });
    on(a.link, [this] { toleranceBox()->toggleLink(); });
    on(a.worstElement, [this] {
        Selection& chosen = selection(m_document->side());
        const auto& comparison = m_document->judged(m_document->side()).comparison();
        if (!comparison) return;
        for (const TapPair& pair : comparison->pairs)
            if (pair.summary && QString::fromStdString(pair.name) == chosen.tap())
                chosen.select(chosen.tap(), pair.summary->maxAbs.index);
    });
}

void MainWindow::copyCommandLine() {
    const Page page = m_document->page();
    const ToolPage* tool = toolPage();
    const QString line = page == Page::live      ? m_live->commandLine()
                         : page == Page::compare ? m_compare->commandLine()
                         : tool                  ? tool->commandLine()
                                                 : QString();
    if (line.isEmpty()) return;
    QApplication::clipboard()->setText(line);
    Message message;
    message.head = tr("The command line is on the clipboard");
    message.text = line;
    m_document->post(message);
}

void MainWindow::huntFor(const QString& finding) {
    HuntSide::Question question = m_document->hunt().question();
    question.over = Over::passes;
    question.bad = {BadWhen::Kind::finding, finding.toStdString()};
    m_document->hunt().setQuestion(question);
    showPage(Page::hunt);
    m_document->rerun();
}

void MainWindow::showShortcuts() {
    if (auto* open = findChild<ShortcutsDialog*>()) return open->raise();
    (new ShortcutsDialog(this))->show();
}

void MainWindow::stepPart(int direction) {
    const QList<QWidget*> parts = {m_leftDock, m_pages, m_rightDock};
    int at = 0;
    for (int i = 0; i < parts.size(); ++i)
        if (parts[i]->isAncestorOf(QApplication::focusWidget())) at = i + direction;
    for (int tried = 0; tried < parts.size(); ++tried, at += direction) {
        QWidget* part = parts[(at + parts.size()) % parts.size()];
        if (!part->isVisible()) continue;
        for (QWidget* child : part->findChildren<QWidget*>())
            if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus))
                return child->setFocus(Qt::TabFocusReason);
    }
}

} // namespace divdet
