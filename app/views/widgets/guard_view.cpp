#include "views/widgets/guard_view.h"

#include <optional>
#include <set>
#include <span>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/number_format.h"
#include "models/guard_tree_model.h"
#include "views/widgets/buttons.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

constexpr int kQuiet = 120;                 ///< ms after a key before a search
constexpr std::size_t kMostExpanded = 2000; ///< hits; more are shown closed, below their graphs

} // namespace

GuardView::GuardView(QWidget* parent)
    : QWidget(parent)
    , m_model(new GuardTreeModel(this)) {
    setObjectName(QStringLiteral("guardView"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_search = new QLineEdit(this);
    m_search->setObjectName(QStringLiteral("guardSearch"));
    m_search->setPlaceholderText(tr("Search guards   Ctrl+F"));
    m_search->setAccessibleName(tr("Search guards"));
    m_search->setToolTip(tr("A name, a kind, a file or a line of your code"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(320);
    m_failing = makeButton(tr("Only those that failed"), ButtonKind::toggle, this,
                           QStringLiteral("guardsFailing"), QStringLiteral("filter"));
    m_failing->setToolTip(tr("Only guards that a recompile names"));
    m_counts = new Label({}, FontStep::caption, Token::text2, this);
    m_counts->setObjectName(QStringLiteral("guardCounts"));
    row->addWidget(m_search, 1);
    row->addWidget(m_failing);
    row->addWidget(m_counts, 1);
    column->addLayout(row);
    m_tree = new QTreeView(this);
    m_tree->setObjectName(QStringLiteral("logsGuards"));
    m_tree->setAccessibleName(tr("Guards"));
    m_tree->setModel(m_model);
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_tree->header()->setHighlightSections(false);
    m_tree->header()->setStretchLastSection(true);
    setNarrow(false);
    column->addWidget(m_tree, 1);
    auto* quiet = new QTimer(this);
    quiet->setSingleShot(true);
    quiet->setInterval(kQuiet);
    connect(m_search, &QLineEdit::textChanged, quiet, qOverload<>(&QTimer::start));
    connect(quiet, &QTimer::timeout, this, &GuardView::search);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { m_tree->setFocus(); });
    connect(m_failing, &QPushButton::toggled, this, &GuardView::search);
}

void GuardView::setNarrow(bool narrow) {
    m_tree->setColumnHidden(GuardTreeModel::Kind, narrow);
    const int wide[] = {470, 60, 180, 220}, small[] = {330, 56, 150, 160};
    int column = 0;
    for (const int width : narrow ? std::span<const int>(small) : std::span<const int>(wide))
        m_tree->header()->resizeSection(column++, width);
}

bool GuardView::searching() const {
    return !m_search->text().trimmed().isEmpty() || m_failing->isChecked();
}

void GuardView::endSearch() {
    m_ending = true;
    m_search->clear();
    m_failing->setChecked(false);
    m_ending = false;
    m_model->setSearch({});
}

void GuardView::setReport(std::shared_ptr<const LogReport> report, bool again) {
    std::set<GuardTreeModel::Identity> open;
    std::optional<GuardTreeModel::Identity> selected;
    const int scrolled = m_tree->verticalScrollBar()->value();
    if (again)
        m_model->forEachRow([&](const QModelIndex& index, const GuardTreeModel::Identity& identity) {
            if (m_tree->isExpanded(index)) open.insert(identity);
            if (index == m_tree->currentIndex().siblingAtColumn(0)) selected = identity;
        });
    else
        endSearch();
    m_model->setReport(std::move(report));
    showCounts();
    if (!selected) return openWorst();
    if (searching() && m_model->hits() <= kMostExpanded) m_tree->expandAll();
    QModelIndex same;
    m_model->forEachRow([&](const QModelIndex& index, const GuardTreeModel::Identity& identity) {
        if (open.contains(identity)) m_tree->expand(index);
        if (identity == *selected) same = index;
    });
    if (!same.isValid()) return openWorst();
    m_tree->setCurrentIndex(same);
    m_tree->verticalScrollBar()->setValue(scrolled);
}

void GuardView::search() {
    if (m_ending) return;
    m_model->setSearch({m_search->text().trimmed().toStdString(), m_failing->isChecked()});
    showCounts();
    openWorst();
}

/// What is searched for is opened; without a search the guard that fails most.
void GuardView::openWorst() {
    if (searching() && m_model->hits() <= kMostExpanded) m_tree->expandAll();
    const QModelIndex worst = m_model->worst();
    m_tree->setCurrentIndex(worst.isValid() ? worst : m_model->index(0, 0));
    if (!worst.isValid() && !searching()) m_tree->expandToDepth(1);
    m_tree->scrollTo(m_tree->currentIndex(), QAbstractItemView::PositionAtCenter);
}

void GuardView::showCounts() {
    const QString all = num::count(m_model->guards());
    m_counts->setText(searching() ? tr("%1 of %2 lines").arg(num::count(m_model->hits()), all)
                                  : tr("%1 lines").arg(all));
}

void GuardView::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void GuardView::showGraph(std::size_t number) {
    if (!m_model->graph(number).isValid()) {
        endSearch();
        showCounts();
    }
    const QModelIndex graph = m_model->graph(number);
    if (!graph.isValid()) return;
    m_tree->expandRecursively(graph);
    m_tree->setCurrentIndex(graph);
    m_tree->scrollTo(graph, QAbstractItemView::PositionAtTop);
}

} // namespace divdet
