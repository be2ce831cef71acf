#include "views/taps_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/number_format.h"
#include "models/taps_delegate.h"
#include "models/taps_filter.h"
#include "models/taps_model.h"
#include "plots/export_plot.h"
#include "views/widgets/buttons.h"
#include "views/widgets/section_head.h"

namespace divdet {
namespace {

struct Column {
    TapsModel::Columns column;
    int width;
};

/// px at 100 %; the class takes what is left.
constexpr Column kLive[] = {
    {TapsModel::Number, 28},      {TapsModel::Tap, 104},        {TapsModel::Op, 72},
    {TapsModel::DTypeColumn, 48}, {TapsModel::ShapeColumn, 94}, {TapsModel::MaxAbs, 70},
    {TapsModel::MaxRel, 66},      {TapsModel::MaxUlp, 66},      {TapsModel::ZRms, 54},
    {TapsModel::Bound, 114},      {TapsModel::OverTol, 72},     {TapsModel::VerdictColumn, 108},
    {TapsModel::ClassColumn, 88}};
constexpr Column kFiles[] = {{TapsModel::Number, 36},         {TapsModel::Tap, 132},
                             {TapsModel::DTypeColumn, 78},    {TapsModel::ShapeColumn, 110},
                             {TapsModel::MaxAbs, 74},         {TapsModel::RelRms, 74},
                             {TapsModel::OverTol, 74},        {TapsModel::NeedsRtol, 78},
                             {TapsModel::VerdictColumn, 112}, {TapsModel::ClassColumn, 88}};
/// What leaves first when it gets narrow.
constexpr TapsModel::Columns kLeaving[] = {TapsModel::Number,      TapsModel::DTypeColumn, TapsModel::MaxUlp,
                                           TapsModel::ShapeColumn, TapsModel::MaxRel,      TapsModel::Op,
                                           TapsModel::RelRms,      TapsModel::NeedsRtol,   TapsModel::Bound,
                                           TapsModel::ZRms};

std::span<const Column> columnsOf(Side side) {
    return side == Side::live ? std::span<const Column>(kLive) : std::span<const Column>(kFiles);
}

} // namespace

TapsPane::TapsPane(Document* document, Selection* selection, Side side, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_side(side)
    , m_model(new TapsModel(this))
    , m_filter(new TapsFilter(this)) {
    setObjectName(QStringLiteral("tapsDock"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHead());
    makeTable();
    column->addWidget(m_table, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    connect(document, &Document::resultChanged, this, [this](Side changed) {
        if (changed == m_side) showResult();
    });
    const auto rejudged = [this](Side changed) {
        if (changed != m_side) return;
        m_model->setJudgement(m_document->judged(m_side).judgement());
        showHead();
    };
    connect(document, &Document::toleranceChanged, this, rejudged);
    connect(document, &Document::countsChanged, this, rejudged);
    connect(selection, &Selection::changed, this, &TapsPane::showSelection);
    showResult();
}

QWidget* TapsPane::makeHead() {
    auto* head = new QWidget(this);
    head->setFixedHeight(36);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(12, 4, 8, 4);
    row->setSpacing(8);
    m_head = new SectionHead(tr("Taps"), head);
    m_search = new QLineEdit(head);
    m_search->setObjectName(QStringLiteral("tapsFilter"));
    m_search->setPlaceholderText(tr("Filter taps   Ctrl+F"));
    m_search->setAccessibleName(tr("Filter taps"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(110);
    m_search->setMaximumWidth(170);
    m_onlyBad = makeButton(tr("Only bad"), ButtonKind::toggle, head, QStringLiteral("onlyBadButton"),
                           QStringLiteral("filter"));
    m_onlyBad->setToolTip(
        tr("Only taps with elements over the tolerance, that cannot be compared, or that are a bug"));
    row->addWidget(m_head, 1);
    row->addWidget(m_search);
    row->addWidget(m_onlyBad);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setText(text);
        showHead();
    });
    connect(m_onlyBad, &QPushButton::toggled, this, [this](bool on) {
        m_filter->setOnlyBad(on);
        showHead();
    });
    return head;
}

void TapsPane::makeTable() {
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("tapsTable"));
    m_table->setAccessibleName(tr("Taps"));
    m_filter->setSourceModel(m_model);
    m_table->setModel(m_filter);
    auto* delegate = new TapsDelegate(m_table);
    delegate->setMarkJudged(m_side == Side::live);
    m_table->setItemDelegate(delegate);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(24);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setMinimumSectionSize(28);
    header->setFixedHeight(26);
    header->setStretchLastSection(true);
    for (int c = 0; c < TapsModel::ColumnCount; ++c) m_table->setColumnHidden(c, true);
    int visual = 0;
    for (const Column& column : columnsOf(m_side)) {
        m_table->setColumnHidden(column.column, false);
        m_table->setColumnWidth(column.column, column.width);
        header->moveSection(header->visualIndex(column.column), visual++);
    }
    TapsFilter::setUpHeader(m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (!index.isValid() || m_selecting) return;
                m_selection->select(index.siblingAtColumn(TapsModel::Tap).data().toString());
            });
    connect(m_table, &QWidget::customContextMenuRequested, this, &TapsPane::tableMenu);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this,
            [this, header](const QPoint& at) { columnMenu()->popup(header->mapToGlobal(at)); });
}

void TapsPane::showResult() {
    const Judged& judged = m_document->judged(m_side);
    // The order is held while rows fill in, or they would jump under the reader.
    m_filter->setDynamicSortFilter(judged.waiting() == 0);
    m_selecting = true;
    m_model->setData(judged.comparison(), judged.judgement(),
                     m_side == Side::live && m_document->live().classesPending());
    m_selecting = false;
    showHead();
    showSelection();
}

void TapsPane::showHead() {
    const auto& comparison = m_model->comparison();
    if (!comparison) {
        const Candidate* candidate = m_document->files().currentCandidate();
        const bool failed = m_side == Side::compare && candidate && candidate->error;
        m_head->setSubtitle(m_side == Side::live ? tr("no run yet")
                            : failed             ? tr("%1 cannot be read").arg(candidate->name())
                                                 : tr("nothing compared yet"));
        return;
    }
    QStringList judged;
    for (const TapPair& pair : comparison->pairs)
        if (pair.judged) judged << QString::fromStdString(pair.name);
    const auto pairs = comparison->pairs.size();
    QString words = num::count(pairs) + (pairs == 1 ? tr(" pair") : tr(" pairs"));
    if (m_filter->rowCount() != m_model->rowCount())
        words = num::countOf(static_cast<std::uint64_t>(m_filter->rowCount()), pairs) + tr(" pairs");
    if (m_side == Side::live)
        words += tr(" · judged: %1 · others are traced").arg(judged.join(QStringLiteral(", ")));
    else
        words += tr(", depth order");
    m_head->setSubtitle(words);
    if (m_side == Side::live) return;
    const Candidate* candidate = m_document->files().currentCandidate();
    m_head->setTitle(candidate ? tr("Taps of %1").arg(candidate->name()) : tr("Taps"));
}

void TapsPane::showSelection() {
    const QString tap = m_selection->tap();
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        const QModelIndex index = m_filter->index(row, TapsModel::Tap);
        if (index.data().toString() != tap) continue;
        if (m_table->currentIndex().row() == row) return;
        m_selecting = true;
        m_table->selectRow(row);
        m_table->scrollTo(index);
        m_selecting = false;
        return;
    }
    m_table->clearSelection();
}

void TapsPane::focusFilter() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void TapsPane::toggleOnlyBad() {
    m_onlyBad->toggle();
}

void TapsPane::stepBad(int direction) {
    const int rows = m_filter->rowCount();
    int row = m_table->currentIndex().isValid() ? m_table->currentIndex().row() : direction > 0 ? -1 : rows;
    for (row += direction; row >= 0 && row < rows; row += direction) {
        const QModelIndex index = m_filter->index(row, TapsModel::Tap);
        if (TapsFilter::isBad(index)) return m_selection->select(index.data().toString());
    }
}

void TapsPane::copyRow() {
    if (!m_table->currentIndex().isValid()) return;
    QStringList cells;
    for (const Column& column : columnsOf(m_side))
        cells << m_table->currentIndex().siblingAtColumn(column.column).data(TapsModel::CopyRole).toString();
    QApplication::clipboard()->setText(cells.join(QLatin1Char('\t')));
}

QString TapsPane::csv() const {
    QStringList lines, heads;
    for (const Column& column : columnsOf(m_side))
        heads << csvField(m_model->headerData(column.column, Qt::Horizontal, Qt::DisplayRole).toString());
    lines << heads.join(QLatin1Char(','));
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        QStringList cells;
        for (const Column& column : columnsOf(m_side))
            cells << csvField(m_filter->index(row, column.column).data(TapsModel::CopyRole).toString());
        lines << cells.join(QLatin1Char(','));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void TapsPane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitColumns();
}

void TapsPane::fitColumns() {
    int needed = 0;
    for (const Column& column : columnsOf(m_side)) {
        const auto chosen = m_chosenColumns.constFind(column.column);
        if (chosen != m_chosenColumns.constEnd()) m_table->setColumnHidden(column.column, !*chosen);
        if (chosen == m_chosenColumns.constEnd() || *chosen) needed += column.width;
    }
    const int scrollBar = 12;
    for (const TapsModel::Columns leaving : kLeaving) {
        const auto all = columnsOf(m_side);
        const auto found =
            std::find_if(all.begin(), all.end(), [leaving](const Column& c) { return c.column == leaving; });
        if (found == all.end()) continue;
        if (m_chosenColumns.contains(leaving)) continue;
        const bool tight = needed > width() - scrollBar;
        m_table->setColumnHidden(leaving, tight);
        if (tight) needed -= found->width;
    }
    // What is left over goes to the names, which are what is read.
    const int spare = std::max(0, width() - scrollBar - needed);
    for (const Column& column : columnsOf(m_side))
        if (column.column == TapsModel::Tap)
            m_table->setColumnWidth(TapsModel::Tap, column.width + spare * 2 / 3);
}

void TapsPane::tableMenu(const QPoint& at) {
    const QModelIndex index = m_table->indexAt(at);
    if (!index.isValid()) return;
    const QString name = index.siblingAtColumn(TapsModel::Tap).data().toString();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (m_side == Side::live) {
        QAction* judge = menu->addAction(tr("Judge this tap"));
        judge->setCheckable(true);
        judge->setChecked(index.data(TapsModel::JudgedRole).toBool());
        connect(judge, &QAction::triggered, this, [this, name] { judgeTap(name); });
        connect(menu->addAction(tr("Judge the outputs only")), &QAction::triggered, this, [this] {
            RunSettings run = m_document->settings().run;
            run.judge = {};
            m_document->setRun(run, tr("Judge the outputs"));
        });
    }
    connect(menu->addAction(tr("Copy row")), &QAction::triggered, this, &TapsPane::copyRow);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

QMenu* TapsPane::columnMenu() {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("columnMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const Column& column : columnsOf(m_side)) {
        if (column.column == TapsModel::Tap) continue; // without names the rest says nothing
        const int which = column.column;
        QAction* action =
            menu->addAction(m_model->headerData(which, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(which));
        connect(action, &QAction::triggered, this, [this, which](bool on) {
            m_chosenColumns[which] = on;
            fitColumns();
        });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Columns that fit")), &QAction::triggered, this, [this] {
        for (const int which : m_chosenColumns.keys()) m_table->setColumnHidden(which, false);
        m_chosenColumns.clear();
        fitColumns();
    });
    return menu;
}

void TapsPane::judgeTap(const QString& name) {
    RunSettings run = m_document->settings().run;
    const std::string tap = name.toStdString();
    std::vector<std::string> names;
    bool was = false;
    for (const TapPair& pair : m_model->comparison()->pairs) {
        if (pair.name == tap) was = pair.judged;
        if (pair.name == tap ? !pair.judged : pair.judged) names.push_back(pair.name);
    }
    run.judge = {};
    if (!names.empty()) {
        run.judge.kind = JudgeSelection::Kind::named;
        run.judge.names = names;
    }
    m_document->setRun(run, was ? tr("Trace %1").arg(name) : tr("Judge %1").arg(name));
}

} // namespace divdet
