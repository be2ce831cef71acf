#include "gui/main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include "gui/actions.h"
#include "gui/dock_title.h"
#include "gui/status_line.h"
#include "gui/tool_bar.h"
#include "gui/window_files.h"
#include "views/advisor_page.h"
#include "views/advisor_pane.h"
#include "views/block_box.h"
#include "views/compare_page.h"
#include "views/determinism_page.h"
#include "views/drop_overlay.h"
#include "views/element_inspector.h"
#include "views/hunt_page.h"
#include "views/live_page.h"
#include "views/logs_page.h"
#include "views/plot_area.h"
#include "views/stages_page.h"
#include "views/taps_pane.h"
#include "views/triage_page.h"
#include "views/verdict_pane.h"
#include "views/widgets/message_stack.h"
#include "views/widgets/verdict_block.h"

namespace divdet {
namespace {

/// Another number drops saved layouts of older versions.
constexpr int kLayoutVersion = 1;
constexpr QSize kMinimum(1024, 640);
constexpr int kFoldBelow = 760;
constexpr int kNarrowestPage = 420; ///< px; the pages ask for more before their first layout

struct WidthRule {
    int from, left, right, plots;
    bool narrow; ///< toolbar icons go; the verdict shows fewer rows
};
constexpr WidthRule kWidths[] = {{0, 272, 256, 1, true},
                                 {1200, 272, 272, 1, false},
                                 {1280, 264, 288, 2, false},
                                 {1440, 280, 304, 2, false}};

int widthClass(int width) {
    int found = 0;
    for (int i = 0; i < static_cast<int>(std::size(kWidths)); ++i)
        if (width >= kWidths[i].from) found = i;
    return found;
}

} // namespace

MainWindow::MainWindow(std::shared_ptr<Session> session)
    : m_document(new Document(std::move(session), this))
    , m_liveSelection(new Selection(this))
    , m_fileSelection(new Selection(this))
    , m_actions(new Actions(m_document->undoStack(), this))
    , m_windowFiles(new WindowFiles(m_document, this))
    , m_saving(this, [](const std::function<void()>& tell) { tell(); }) {
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(kMinimum);
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks);
    connect(&m_saving, &LatestJobBase::failed, this, [this](const QString& message) { // the last net
        m_document->post({MessageKind::error, tr("A file was not saved"), message, {}, {}});
    });
    makePages();
    makeDocks();
    makeMenus();
    connectActions();
    connectPages();
    connectKeys();
    showPage(Side::live);
    showTitle();
}

MainWindow::~MainWindow() {
    // Views listen to the document, so they go before it.
    delete takeCentralWidget();
    delete m_leftDock;
    delete m_rightDock;
}

void MainWindow::makePages() {
    // Menu, toolbar and messages stand over the whole width, above the docks.
    auto* head = new QWidget(this);
    auto* rows = new QVBoxLayout(head);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    m_menus = new QMenuBar(head);
    m_toolBar = new ToolBar(m_actions, m_document, head);
    m_messages = new MessageStack(head);
    for (QWidget* row : {static_cast<QWidget*>(m_menus), static_cast<QWidget*>(m_toolBar),
                         static_cast<QWidget*>(m_messages)})
        rows->addWidget(row);
    setMenuWidget(head);
    connect(m_document, &Document::messagePosted, m_messages,
            [this](const Message& message) { m_messages->post(message); });

    m_pages = new QStackedWidget(this);
    m_pages->setObjectName(QStringLiteral("pageStack"));
    m_pages->setMinimumWidth(kNarrowestPage);
    m_live = new LivePage(m_document, m_liveSelection, m_pages);
    m_compare = new ComparePage(m_document, m_fileSelection, m_pages);
    m_advisor = new AdvisorPage(m_document, m_pages);
    m_hunt = new HuntPage(m_document, m_pages);
    m_stages = new StagesPage(m_document, m_pages);
    m_logs = new LogsPage(m_document, m_pages);
    m_determinism = new DeterminismPage(m_document, m_pages);
    m_triage = new TriagePage(m_pages);
    for (QWidget* page :
         {static_cast<QWidget*>(m_live), static_cast<QWidget*>(m_compare), static_cast<QWidget*>(m_advisor),
          static_cast<QWidget*>(m_hunt), static_cast<QWidget*>(m_stages), static_cast<QWidget*>(m_logs),
          static_cast<QWidget*>(m_determinism), static_cast<QWidget*>(m_triage)})
        m_pages->addWidget(page); // in the order of Page
    setCentralWidget(m_pages);
    m_overlay = new DropOverlay(m_pages);
    m_status = new StatusLine(m_document, m_liveSelection, m_fileSelection, this);
    setStatusBar(m_status);
    connect(m_windowFiles, &WindowFiles::watchedChanged, m_status, &StatusLine::setWatched);
}

void MainWindow::makeDocks() {
    const auto dock = [this](const QString& name, const QString& title, QWidget* content,
                             Qt::DockWidgetArea area) {
        auto* widget = new QDockWidget(title, this);
        widget->setObjectName(name);
        widget->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
        widget->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
        widget->setTitleBarWidget(new DockTitle(widget));
        widget->setWidget(content);
        addDockWidget(area, widget);
        return widget;
    };
    m_controls = new QStackedWidget;
    m_controls->setMinimumWidth(240);
    m_controls->addWidget(m_live->controls());
    m_controls->addWidget(m_compare->controls());
    for (const ToolPage* tool :
         {static_cast<ToolPage*>(m_advisor), static_cast<ToolPage*>(m_hunt), static_cast<ToolPage*>(m_stages),
          static_cast<ToolPage*>(m_logs), static_cast<ToolPage*>(m_determinism)})
        m_controls->addWidget(tool->controls());
    m_controls->addWidget(new QWidget); // the chart has none
    m_leftDock = dock(QStringLiteral("leftDock"), tr("Settings"), m_controls, Qt::LeftDockWidgetArea);
    m_verdict = new VerdictPane(m_document, m_liveSelection, m_fileSelection);
    m_advice = new AdvisorPane(m_document);
    m_verdicts = new QStackedWidget;
    m_verdicts->setObjectName(QStringLiteral("windowSurface"));
    m_verdicts->setAttribute(Qt::WA_StyledBackground);
    m_verdicts->setMinimumWidth(220);
    m_verdicts->addWidget(m_verdict);
    m_verdicts->addWidget(m_advice);
    m_rightDock = dock(QStringLiteral("rightDock"), tr("Verdict"), m_verdicts, Qt::RightDockWidgetArea);
    connect(m_advice, &AdvisorPane::verdictChanged, this, &MainWindow::showTitle);
    connect(m_verdict, &VerdictPane::verdictChanged, this, &MainWindow::showTitle);
    connect(m_verdict, &VerdictPane::placeRequested, this,
            [this] { m_document->side() == Side::live ? m_live->showPlace() : m_compare->showPlace(); });
    connect(m_verdict, &VerdictPane::huntRequested, this, &MainWindow::huntFor);
    connect(m_live, &LivePage::binPicked, m_verdict->inspector(), &ElementInspector::findInBin);
    connect(m_verdict->inspector(), &ElementInspector::shown, m_live, &LivePage::showElement);
}

ToolPage* MainWindow::toolPage() const {
    return qobject_cast<ToolPage*>(m_pages->widget(static_cast<int>(m_document->page())));
}

void MainWindow::showPage(Page page) {
    m_document->setPage(page);
    const int index = static_cast<int>(page);
    m_pages->setCurrentIndex(index);
    m_controls->setCurrentIndex(index);
    m_verdicts->setCurrentWidget(page == Page::advisor ? static_cast<QWidget*>(m_advice) : m_verdict);
    for (int i = 0; i < m_pages->count(); ++i) {
        // A hidden page must not keep the docks from their widths.
        const auto policy = i == index ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        m_pages->widget(i)->setSizePolicy(policy, policy);
        // Pages share object names; whoever looks one up finds that of the page that is shown first.
        if (i != index) m_pages->widget(i)->raise();
    }
    (page == Page::advisor ? static_cast<QWidget*>(m_verdict) : m_advice)->raise(); // for the same reason
    m_actions->pages()[index]->setChecked(true);
    // These act on taps and on the tolerance of a comparison, and would do so unseen.
    for (QAction* action : m_actions->singleKeys()) action->setEnabled(showsTaps(page));
    m_actions->filter->setEnabled(showsTaps(page) || page == Page::logs);
    m_actions->exportTaps->setEnabled(showsTaps(page));
    // The chart has no settings, and is as wide as it can be.
    if (page == Page::triage && !m_leftDock->isHidden()) {
        m_leftDock->hide();
        m_settingsAway = true;
    } else if (page != Page::triage && std::exchange(m_settingsAway, false)) {
        m_leftDock->show();
    }
    m_overlay->setForLogs(page == Page::logs);
    showVerdictDock();
    showTitle();
}

void MainWindow::showVerdictDock() {
    // Without a candidate there is nothing to say: the start page takes the room. A hunt says it in its page.
    const Page page = m_document->page();
    const bool idle = (page == Page::compare && !m_document->files().canCompare()) ||
                      (!showsTaps(page) && page != Page::advisor);
    if (idle && !m_rightDock->isHidden()) {
        m_rightDock->hide();
        m_verdictAway = true;
    } else if (!idle && std::exchange(m_verdictAway, false)) {
        m_rightDock->show();
    }
}

void MainWindow::openFiles(const QStringList& paths, DropSide side) {
    if (m_document->page() == Page::logs) return m_document->logs().open(paths);
    m_windowFiles->open(paths, side);
}

void MainWindow::takeOptions(const Options& options) {
    if (options.page == Page::logs) m_document->setPage(Page::logs); // what is opened are logs
    if (!options.files.isEmpty()) openFiles(options.files);
    m_document->advisor().setRequest(options.advise);
    showPage(options.page.value_or(options.files.isEmpty() ? Page::live : Page::compare));
    if (!options.plots.isEmpty()) {
        m_live->plots()->showPlots(options.plots);
        QStringList ofTaps = options.plots;
        erase_if(ofTaps, [this](const QString& name) { return !m_compare->plots()->plot(name); });
        m_compare->showPlots(ofTaps);
    }
    if (!options.candidate.isEmpty()) {
        const auto& candidates = m_document->files().candidates();
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if (candidates[i].name() == options.candidate || QString::number(i + 1) == options.candidate)
                m_document->files().setCurrent(static_cast<int>(i));
    }
    if (!options.tap.isEmpty()) selection(m_document->side()).select(options.tap);
    if (!options.element.isEmpty()) m_verdict->inspector()->selectLater(options.element);
}

void MainWindow::showTitle() {
    const VerdictLook look = verdictLook(verdictBlock()->content().tone);
    static_cast<DockTitle*>(m_rightDock->titleBarWidget())->setGround(look.bg, look.solid, 4);
    const QString program = QStringLiteral("Divergence Detective");
    const Page page = m_document->page();
    const ToolPage* tool = toolPage();
    if (!showsTaps(page) && page != Page::advisor) // no verdict stands beside these
        return setWindowTitle(QStringLiteral("%1 — %2").arg(tool ? tool->subject() : tr("Triage"), program));
    const QString subject = tool ? tool->subject() : VerdictPane::subject(*m_document);
    const QString word = verdictBlock()->content().word;
    setWindowTitle(subject.isEmpty() ? program : QStringLiteral("%1: %2 — %3").arg(subject, word, program));
}

void MainWindow::fitToSize() {
    const int now = widthClass(width());
    if (const bool small = height() < kFoldBelow; small != m_small || m_widthClass < 0) {
        m_small = small;
        m_live->blockBox()->setFoldable(small);
    }
    if (now == m_widthClass) return;
    m_widthClass = now;
    const WidthRule& rule = kWidths[now];
    m_toolBar->setNarrow(rule.narrow);
    m_live->plots()->setRoom(rule.plots);
    m_compare->plots()->setRoom(rule.plots);
    m_verdict->setNarrow(rule.narrow);
    m_live->setNarrow(rule.narrow);
    m_compare->setNarrow(rule.narrow);
    for (ToolPage* tool : m_pages->findChildren<ToolPage*>(Qt::FindDirectChildrenOnly))
        tool->setNarrow(rule.narrow);
    m_actions->twoPlots->setEnabled(rule.plots > 1);
    // Docks take a size only once the layout of the new window size is through.
    if (m_shown) QTimer::singleShot(0, this, &MainWindow::sizeDocks);
}

void MainWindow::sizeDocks() {
    const WidthRule& rule = kWidths[std::max(0, m_widthClass)];
    resizeDocks({m_leftDock, m_rightDock}, {rule.left, rule.right}, Qt::Horizontal);
    m_live->setTapsHeight(height() < kFoldBelow ? 150 : 206);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fitToSize();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (!focusWidget()) m_live->taps()->table()->setFocus();
    if (std::exchange(m_shown, true)) return;
    fitToSize();
    QTimer::singleShot(0, this, &MainWindow::sizeDocks);
}

void MainWindow::saveLayout() const {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState(kLayoutVersion));
    settings.setValue(QStringLiteral("window/verdictAway"), m_verdictAway);
    settings.setValue(QStringLiteral("window/settingsAway"), m_settingsAway);
    settings.setValue(QStringLiteral("window/plots"), m_live->plots()->shown());
}

void MainWindow::restoreLayout() {
    const QSettings settings;
    if (!restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray())) resize(1440, 900);
    if (restoreState(settings.value(QStringLiteral("window/state")).toByteArray(), kLayoutVersion)) {
        m_shown = true; // dock sizes are those that were saved
    }
    if (settings.value(QStringLiteral("window/verdictAway")).toBool()) m_rightDock->show();
    if (settings.value(QStringLiteral("window/settingsAway")).toBool()) m_leftDock->show();
    const QStringList plots = settings.value(QStringLiteral("window/plots")).toStringList();
    if (!plots.isEmpty()) m_live->plots()->showPlots(plots);
}

void MainWindow::defaultLayout() {
    for (QDockWidget* dock : {m_leftDock, m_rightDock}) {
        dock->setFloating(false);
        dock->show();
    }
    addDockWidget(Qt::LeftDockWidgetArea, m_leftDock);
    addDockWidget(Qt::RightDockWidgetArea, m_rightDock);
    m_live->plots()->showPlots({QStringLiteral("faults"), QStringLiteral("tolerance")});
    sizeDocks();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_document->cancel();
    saveLayout();
    event->accept();
}

void MainWindow::hoverAt(const QPointF& at, qsizetype files) {
    const QPointF local = m_pages->mapFrom(this, at.toPoint());
    m_overlay->showFor(files, local.x(), !m_document->files().reference().empty());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const auto files = droppedPaths(event->mimeData()).size();
    if (files == 0) return;
    event->acceptProposedAction();
    hoverAt(event->position(), files);
}

void MainWindow::dragMoveEvent(QDragMoveEvent* event) {
    hoverAt(event->position(), droppedPaths(event->mimeData()).size());
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
    m_overlay->hide();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList paths = droppedPaths(event->mimeData());
    hoverAt(event->position(), paths.size());
    m_overlay->hide();
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    const DropSide side = paths.size() > 1             ? DropSide::automatic
                          : m_overlay->candidateHalf() ? DropSide::candidate
                                                       : DropSide::reference;
    openFiles(paths, side);
}

} // namespace divdet
