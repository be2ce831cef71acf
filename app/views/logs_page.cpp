#include "views/logs_page.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTreeView>
#include <QVBoxLayout>

#include "base/shell_word.h"
#include "dialogs/file_dialogs.h"
#include "gui/exports.h"
#include "gui/fonts.h"
#include "gui/theme.h"
#include "models/log_tables.h"
#include "models/sparkline_delegate.h"
#include "report/logs_report.h"
#include "session/logs_json.h"
#include "views/logs_form.h"
#include "views/widgets/buttons.h"
#include "views/widgets/card.h"
#include "views/widgets/guard_view.h"
#include "views/widgets/label.h"
#include "views/widgets/log_timeline.h"

namespace divdet {
namespace {

constexpr const char* kTabNames[] = {"Recompiles", "Graph breaks", "Timeline",      "Graphs",
                                     "Guards",     "Since before", "Not understood"};
constexpr const char* kTableNames[] = {"logsRecompiles", "logsBreaks",  "",         "logsGraphs",
                                       "logsGuards",     "logsChanges", "logsLines"};
constexpr int kDetail = 110; ///< px

/// What a row is about, while its counts and its place among the others change.
QString identityOf(int tab, const QModelIndex& index) {
    if (!index.isValid()) return {};
    QString out = index.parent().isValid() ? identityOf(tab, index.parent()) : QString();
    const bool cause = tab == LogsPage::Recompiles && index.parent().isValid();
    const int second = cause ? 2 : tab == LogsPage::Recompiles ? 4 : tab == LogsPage::Breaks ? 3 : 1;
    for (const int column : {0, second})
        out += QLatin1Char('\n') + index.siblingAtColumn(column).data().toString();
    return out;
}

QModelIndex rowOf(int tab, const QAbstractItemModel& model, const QString& identity,
                  const QModelIndex& below = {}) {
    for (int row = 0; !identity.isEmpty() && row < model.rowCount(below); ++row) {
        const QModelIndex index = model.index(row, 0, below);
        if (identityOf(tab, index) == identity) return index;
        if (const QModelIndex inside = rowOf(tab, model, identity, index); inside.isValid()) return inside;
    }
    return {};
}

} // namespace

LogsPage::LogsPage(Document* document, QWidget* parent)
    : ToolPage(QStringLiteral("logs"), new LogsForm(document), parent)
    , m_document(document) {
    auto* ours = static_cast<LogsForm*>(form());
    connect(ours, &LogsForm::openRequested, this, &LogsPage::askForFiles);
    connect(ours, &LogsForm::pasteRequested, this, &LogsPage::pasteClipboard);
    LogsSide& side = document->logs();
    connect(this, &LogsPage::cancelRequested, &side, &LogsSide::cancel);
    addExport();
    m_body = new QStackedWidget(this);
    m_body->addWidget(makeEmpty());
    m_body->addWidget(makeTables());
    cards()->addWidget(m_body, 1);
    connect(&side, &LogsSide::answerChanged, this, &LogsPage::showAll);
    connect(&side, &LogsSide::sourceChanged, this, &LogsPage::showAll);
    connect(&side, &LogsSide::runningChanged, this, &LogsPage::showAll);
    connect(&side, &LogsSide::progressed, this,
            [this](quint64 done, quint64 total) { setProgress(done, total); });
    connect(&Theme::current(), &Theme::changed, this, [this] {
        m_shown.reset(); // colours are in the tables
        showAll();
    });
    showAll();
}

void LogsPage::addExport() {
    m_export = makeButton(tr("Export report"), ButtonKind::toggle, this, QStringLiteral("logsExport"),
                          QStringLiteral("export"));
    m_export->setCheckable(false);
    auto* menu = new QMenu(m_export);
    const std::pair<QString, QString> formats[] = {{tr("Markdown…"), QStringLiteral("md")},
                                                   {tr("HTML…"), QStringLiteral("html")},
                                                   {tr("JSON…"), QStringLiteral("json")}};
    for (const auto& [word, suffix] : formats)
        menu->addAction(word, this, [this, suffix = suffix] { save(suffix); });
    m_export->setMenu(menu);
    addToStrip(m_export);
}

QWidget* LogsPage::makeEmpty() {
    const Card card = makeCard(tr("Read a log of torch.compile"), this);
    card.head->addStretch(1);
    m_emptyText = new Label({}, FontStep::body, Token::text2, card.frame);
    m_emptyText->setObjectName(QStringLiteral("logsEmpty"));
    m_emptyText->setWordWrap(true);
    m_emptyText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    card.column->addWidget(m_emptyText);
    auto* buttons = new QHBoxLayout;
    auto* open = makeButton(tr("Open a log…"), ButtonKind::primary, card.frame,
                            QStringLiteral("logsOpenEmpty"), QStringLiteral("open"));
    connect(open, &QPushButton::clicked, this, &LogsPage::askForFiles);
    auto* sample =
        makeButton(tr("Show a sample"), ButtonKind::standard, card.frame, QStringLiteral("logsSample"));
    connect(sample, &QPushButton::clicked, this, &LogsPage::openSample);
    buttons->addWidget(open);
    buttons->addWidget(sample);
    buttons->addStretch(1);
    card.column->addLayout(buttons);
    card.column->addStretch(1);
    return card.frame;
}

QWidget* LogsPage::makeTables() {
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    const Card card = makeCard({}, body);
    m_tabs = new QTabBar(card.frame);
    m_tabs->setObjectName(QStringLiteral("logsTabs"));
    m_tabs->setAccessibleName(tr("What the log says"));
    m_tabs->setDrawBase(false);
    card.head->addWidget(m_tabs);
    card.head->addStretch(1);
    m_views = new QStackedWidget(card.frame);
    for (int tab = 0; tab < TabCount; ++tab) addTab(tab, card.frame);
    connect(m_tables[Graphs], &QTreeView::activated, this, &LogsPage::showGuardsOf);
    card.column->addWidget(m_views, 1);
    column->addWidget(card.frame, 1);
    const Card detail = makeCard(tr("What to do"), body);
    detail.head->addStretch(1);
    m_copyFix = makeButton(tr("Copy the fix"), ButtonKind::standard, detail.frame,
                           QStringLiteral("logsCopyFix"), QStringLiteral("copy"));
    connect(m_copyFix, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_fix->text()); });
    detail.head->addWidget(m_copyFix);
    m_fix = new Label({}, FontStep::body, Token::text1, detail.frame);
    m_fix->setObjectName(QStringLiteral("logsFix"));
    m_fix->setWordWrap(true);
    m_fix->setTextFormat(Qt::PlainText);
    m_fix->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    detail.column->addWidget(m_fix);
    m_detail = new QPlainTextEdit(detail.frame);
    m_detail->setObjectName(QStringLiteral("logsDetail"));
    m_detail->setAccessibleName(tr("The selected row"));
    m_detail->setReadOnly(true);
    m_detail->setFont(monoFont());
    m_detail->setFixedHeight(kDetail);
    detail.column->addWidget(m_detail);
    column->addWidget(detail.frame);
    connect(m_tabs, &QTabBar::currentChanged, this, &LogsPage::showTab);
    return body;
}

void LogsPage::addTab(int tab, QWidget* parent) {
    m_tabs->addTab(tr(kTabNames[tab]));
    if (tab == Timeline) {
        m_timeline = new LogTimeline(parent);
        m_views->addWidget(m_timeline);
        return;
    }
    if (tab == Guards) {
        m_guards = new GuardView(parent);
        m_tables[tab] = m_guards->tree();
        m_views->addWidget(m_guards);
    } else {
        m_models[tab] = new QStandardItemModel(this);
        auto* view = new QTreeView(parent);
        view->setObjectName(QString::fromLatin1(kTableNames[tab]));
        view->setAccessibleName(tr(kTabNames[tab]));
        view->setModel(m_models[tab]);
        view->setRootIsDecorated(tab == Recompiles);
        view->setUniformRowHeights(true);
        view->setAlternatingRowColors(true);
        view->setItemDelegate(new SparklineDelegate(view));
        view->header()->setHighlightSections(false);
        m_tables[tab] = view;
        m_views->addWidget(view);
    }
    connect(m_tables[tab]->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &LogsPage::showSelected);
    connect(m_tables[tab]->model(), &QAbstractItemModel::modelReset, this, &LogsPage::showSelected);
}

void LogsPage::focusSearch() {
    if (!m_tabs->isTabVisible(Guards) || m_body->currentIndex() == 0) return;
    m_tabs->setCurrentIndex(Guards);
    m_guards->focusSearch();
}

void LogsPage::showGuardsOf(const QModelIndex& graph) {
    const auto number = static_cast<std::size_t>(graph.row());
    if (!m_shown || number >= m_shown->report.graphs.size()) return;
    const GuardTree& tree = m_shown->report.graphs[number].tree;
    if (tree.guards.empty() && !tree.cut) {
        Message message;
        message.head = tr("The log does not list the guards of this graph");
        message.text = tr("Run the program with TORCH_LOGS=recompiles,graph_breaks,guards.");
        return m_document->post(message);
    }
    m_tabs->setCurrentIndex(Guards);
    m_guards->showGraph(number);
}

void LogsPage::askForFiles() {
    file_dialogs::open(this, tr("Open a log"), true,
                       [this](const QStringList& paths) { m_document->logs().open(paths); });
}

void LogsPage::pasteClipboard() {
    const QString words = QApplication::clipboard()->text();
    if (!words.isEmpty()) return m_document->logs().paste(words);
    Message message;
    message.head = tr("There is no text on the clipboard");
    message.text = tr("Copy the lines of the log first.");
    m_document->post(message);
}

void LogsPage::openSample() {
    QFile sample(QStringLiteral(":/samples/storm.log"));
    if (sample.open(QIODevice::ReadOnly)) m_document->logs().paste(QString::fromUtf8(sample.readAll()));
}

void LogsPage::save(const QString& suffix) {
    const auto answer = m_document->logs().answer();
    if (!answer) return;
    const LogChanges* changes = answer->changes ? &*answer->changes : nullptr;
    const LogReport* before = answer->before ? &*answer->before : nullptr;
    const std::string content = suffix == QLatin1String("md") ? logsMarkdown(answer->report, changes)
                                : suffix == QLatin1String("html")
                                    ? logsHtml(answer->report, changes)
                                    : divdet::text(logsJson(answer->report, before, changes));
    saveText(this, *m_document, tr("Export the report"), QStringLiteral("log-report.") + suffix,
             QString::fromStdString(content));
}

void LogsPage::showAll() {
    const LogsSide& side = m_document->logs();
    const auto& answer = side.answer();
    setWhat(subject());
    setRunning(side.running());
    m_export->setEnabled(answer != nullptr);
    setHasCommandLine(!commandLine().isEmpty());
    m_body->setCurrentIndex(answer ? 1 : 0);
    m_emptyText->setText(
        side.stopped() ? tr("Reading was stopped. Read again reads it from the beginning.")
        : side.error() ? QString::fromStdString(side.error()->text())
        : side.running()
            ? tr("Reading…")
            : tr("Run your program with TORCH_LOGS=recompiles,graph_breaks and open, drop or paste what "
                 "it prints; files and folders of TORCH_TRACE are read too. The page says which "
                 "functions are compiled again and again and why, where the graph breaks, and what "
                 "to change."));
    if (!answer || answer == m_shown) return;
    // Read again because it grew, the page stays where the user has it.
    const bool again = std::exchange(m_shownSource, side.source()) == side.source();
    QString selected[TabCount];
    for (int tab = 0; tab < TabCount; ++tab)
        if (m_models[tab]) selected[tab] = identityOf(tab, m_tables[tab]->currentIndex());
    m_shown = answer;
    const LogReport& report = answer->report;
    log_tables::fillRecompiles(*m_models[Recompiles], report);
    log_tables::fillBreaks(*m_models[Breaks], report);
    log_tables::fillGraphs(*m_models[Graphs], report);
    log_tables::fillChanges(*m_models[Changes], answer->changes.value_or(LogChanges()));
    log_tables::fillLines(*m_models[Lines], report);
    m_timeline->setAnswer(answer);
    m_guards->setReport({answer, &answer->report}, again);
    const bool guards = std::any_of(report.graphs.begin(), report.graphs.end(), [](const CompiledGraph& g) {
        return !g.tree.guards.empty() || g.tree.cut;
    });
    const auto count = [](std::size_t n) { return n ? QStringLiteral("  %1").arg(n) : QString(); };
    m_tabs->setTabText(Recompiles, tr("Recompiles") + count(report.recompiles.size()));
    m_tabs->setTabText(Breaks, tr("Graph breaks") + count(report.breaks.size()));
    m_tabs->setTabText(Graphs, tr("Graphs") + count(report.graphs.size() + report.replays.size()));
    m_tabs->setTabText(Guards, tr("Guards") + count(static_cast<std::size_t>(report.guards)));
    m_tabs->setTabText(Lines, tr("Not understood") + count(static_cast<std::size_t>(report.unparsedLines)));
    m_tabs->setTabVisible(Graphs, !report.graphs.empty() || !report.replays.empty());
    m_tabs->setTabVisible(Guards, guards);
    m_tabs->setTabVisible(Changes, answer->changes.has_value());
    m_tabs->setTabVisible(Lines, report.unparsedLines > 0);
    if (!again && answer->changes)
        m_tabs->setCurrentIndex(Changes);
    else if (!again && report.recompiles.empty() && !report.breaks.empty())
        m_tabs->setCurrentIndex(Breaks);
    for (int tab = 0; tab < TabCount; ++tab) {
        if (!m_models[tab]) continue;
        QHeaderView* header = m_tables[tab]->header();
        header->setStretchLastSection(true);
        const int widths[TabCount][6] = {
            {230, 80, 150, 300}, {300, 60, 120, 340}, {}, {180, 160, 70}, {}, {90, 320, 70, 70, 140}, {80}};
        for (int i = 0; i < header->count() - 1; ++i) header->resizeSection(i, widths[tab][i]);
        m_tables[tab]->expandAll();
        m_tables[tab]->setCurrentIndex(m_models[tab]->index(0, 0));
        // A cause, not its function: that is where the fix is.
        if (again) {
            if (const QModelIndex same = rowOf(tab, *m_models[tab], selected[tab]); same.isValid())
                m_tables[tab]->setCurrentIndex(same);
        } else if (tab == Recompiles)
            if (const QModelIndex first = m_models[tab]->index(0, 0, m_models[tab]->index(0, 0));
                first.isValid())
                m_tables[tab]->setCurrentIndex(first);
    }
    showTab();
}

void LogsPage::showTab() {
    m_views->setCurrentIndex(std::max(0, m_tabs->currentIndex()));
    showSelected();
}

void LogsPage::showSelected() {
    QTreeView* table = m_tables[std::max(0, m_tabs->currentIndex())];
    const QModelIndex at = table ? table->currentIndex() : QModelIndex();
    const QString fix = at.data(log_tables::FixRole).toString();
    m_fix->setText(fix);
    m_fix->setVisible(!fix.isEmpty());
    m_copyFix->setEnabled(!fix.isEmpty());
    m_detail->setPlainText(at.data(log_tables::DetailRole).toString());
}

QString LogsPage::subject() const {
    const LogsSide& side = m_document->logs();
    return side.isEmpty() ? tr("Logs of torch.compile") : tr("Log: %1").arg(side.subject());
}

QString LogsPage::commandLine() const {
    const LogsSide& side = m_document->logs();
    if (side.paths().isEmpty()) return {};
    std::string line = "divdet logs";
    if (!side.beforePath().isEmpty()) line += " --before " + shellWord(side.beforePath().toStdString());
    if (side.rank()) line += " --rank " + std::to_string(*side.rank());
    for (const QString& path : side.paths()) line += ' ' + shellWord(path.toStdString());
    return QString::fromStdString(line);
}

void LogsPage::setNarrow(bool narrow) {
    ToolPage::setNarrow(narrow);
    m_guards->setNarrow(narrow);
    m_export->setText(narrow ? QString() : tr("Export report"));
    m_export->setAccessibleName(tr("Export report"));
}

} // namespace divdet
