#include "views/advisor_page.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/number_format.h"
#include "models/power_delegate.h"
#include "models/power_model.h"
#include "session/advise/advise_snippets.h"
#include "views/advisor_form.h"
#include "views/advisor_text.h"
#include "views/widgets/buttons.h"
#include "views/widgets/card.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

constexpr int kColumns = 5;
constexpr int kLinesHeight = 62; ///< px: three lines and what scrolls them
constexpr const char* kTools[] = {"torch", "numpy", "polygraphy"};

} // namespace

AdvisorPage::AdvisorPage(Document* document, QWidget* parent)
    : ToolPage(QStringLiteral("advisor"), new AdvisorForm(document), parent)
    , m_document(document) {
    cards()->addWidget(makeTolerances());
    cards()->addWidget(makeFaults(), 1);
    cards()->addWidget(makeLines());
    AdvisorSide& side = document->advisor();
    connect(this, &AdvisorPage::cancelRequested, &side, &AdvisorSide::cancel);
    connect(&side, &AdvisorSide::adviceChanged, this, &AdvisorPage::showAnswer);
    connect(&side, &AdvisorSide::runningChanged, this, &AdvisorPage::showRunning);
    connect(&side, &AdvisorSide::progressed, this, &AdvisorPage::showProgress);
    setNarrow(false);
    showAnswer();
}

QWidget* AdvisorPage::makeTolerances() {
    const Card card = makeCard(tr("Tolerances"), this);
    card.head->addStretch(1);
    m_empty = new Label({}, FontStep::body, Token::text2, card.frame);
    m_empty->setObjectName(QStringLiteral("advisorEmpty"));
    m_empty->setWordWrap(true);
    card.column->addWidget(m_empty);
    m_tolerances = new QGridLayout;
    m_tolerances->setHorizontalSpacing(16);
    m_tolerances->setVerticalSpacing(4);
    m_tolerances->setColumnStretch(kColumns - 1, 1);
    card.column->addLayout(m_tolerances);
    return card.frame;
}

QWidget* AdvisorPage::makeFaults() {
    const Card card = makeCard(tr("Faults"), this);
    m_faultsNote =
        new ElidedLabel(tr("share of their runs that a tolerance catches, measured by running them"),
                        FontStep::body, Token::text2, card.frame);
    card.head->addWidget(m_faultsNote, 1);
    m_power = new PowerModel(this);
    m_faults = new QTableView(card.frame);
    m_faults->setObjectName(QStringLiteral("advisorFaults"));
    m_faults->setAccessibleName(tr("Faults and the share caught"));
    m_faults->setModel(m_power);
    m_faults->setItemDelegate(new PowerDelegate(m_faults));
    m_faults->setFrameShape(QFrame::NoFrame);
    m_faults->setShowGrid(false);
    m_faults->setAlternatingRowColors(true);
    m_faults->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_faults->setSelectionMode(QAbstractItemView::SingleSelection);
    m_faults->setWordWrap(false);
    m_faults->setTabKeyNavigation(false);
    m_faults->verticalHeader()->hide();
    m_faults->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_faults->verticalHeader()->setDefaultSectionSize(24);
    QHeaderView* header = m_faults->horizontalHeader();
    header->setHighlightSections(false);
    header->setFixedHeight(26);
    header->setSectionResizeMode(PowerModel::Remark, QHeaderView::Stretch);
    card.column->addWidget(m_faults, 1);
    return card.frame;
}

QWidget* AdvisorPage::makeLines() {
    const Card card = makeCard(tr("Lines for a test"), this);
    card.head->addStretch(1);
    auto* group = new QButtonGroup(this);
    for (const char* tool : kTools) {
        const QString name = QString::fromLatin1(tool);
        auto* button =
            makeButton(name, ButtonKind::toggle, card.frame, QStringLiteral("advisorTool_") + name);
        button->setProperty("tool", name);
        group->addButton(button);
        card.head->addWidget(button);
        m_tools << button;
    }
    m_tools.first()->setChecked(true);
    connect(group, &QButtonGroup::buttonToggled, this, [this](QAbstractButton*, bool on) {
        if (on) showLines();
    });
    auto* copy = makeButton(tr("Copy"), ButtonKind::standard, card.frame, QStringLiteral("advisorCopy"),
                            QStringLiteral("copy"));
    copy->setToolTip(tr("Copy these lines"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_lines->toPlainText()); });
    card.head->addWidget(copy);
    m_lines = new QPlainTextEdit(card.frame);
    m_lines->setObjectName(QStringLiteral("advisorLines"));
    m_lines->setAccessibleName(tr("Lines to paste into a test"));
    m_lines->setReadOnly(true);
    m_lines->setTabChangesFocus(true);
    m_lines->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_lines->setFont(monoFont(FontStep::caption));
    m_lines->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_lines->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_lines->setFixedHeight(kLinesHeight);
    card.column->addWidget(m_lines);
    return card.frame;
}

void AdvisorPage::showAnswer() {
    const AdvisorSide& side = m_document->advisor();
    const auto advice = side.shown();
    m_power->setData(advice);
    m_faults->setColumnHidden(PowerModel::ByGiven, !advice || !advice->given);
    showTolerances(advice.get());
    showLines();
    showRunning();
}

void AdvisorPage::showTolerances(const Advice* advice) {
    qDeleteAll(std::exchange(m_cells, {}));
    m_empty->setVisible(!advice);
    if (!advice) {
        const VerdictContent why = pendingAdvice(m_document->advisor());
        m_empty->setText(why.sentence);
        return;
    }
    const auto cell = [this](const QString& text, int row, int column, Token token) {
        auto* label = new Label(text, row == 0 ? FontStep::caption : FontStep::body, token, this);
        if (column > 0 && row > 0) label->setFont(monoFont());
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_tolerances->addWidget(label, row, column,
                                column > 0 ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignVCenter);
        m_cells << label;
        return label;
    };
    const QString heads[] = {{}, tr("rtol"), tr("atol"), tr("honest runs fail")};
    for (int i = 0; i < kColumns - 1; ++i) cell(heads[i], 0, i, Token::text3);
    int row = 1;
    for (const AdvisedTolerance& t : advisedTolerances(*advice)) {
        auto* name = cell(t.name, row, 0, Token::text1);
        if (t.name == QLatin1String("recommended"))
            name->setFont(divdet::font(FontStep::body, QFont::DemiBold));
        name->setAccessibleName(tr("%1: rtol %2, atol %3").arg(t.name, t.rtol, t.atol));
        cell(t.rtol, row, 1, Token::text1);
        cell(t.atol, row, 2, Token::text1);
        cell(t.fails, row, 3, Token::text1);
        m_cells << new ElidedLabel(t.text, FontStep::body, Token::text2, this);
        m_tolerances->addWidget(m_cells.last(), row++, 4);
    }
}

void AdvisorPage::showLines() {
    const auto advice = m_document->advisor().shown();
    QString lines;
    for (const QPushButton* tool : m_tools)
        if (advice && tool->isChecked())
            lines = QString::fromStdString(snippet(*advice, tool->property("tool").toString().toStdString()));
    m_lines->setPlainText(lines.trimmed());
}

void AdvisorPage::showRunning() {
    const AdvisorSide& side = m_document->advisor();
    const bool running = side.running();
    setRunning(running);
    if (!side.shown()) m_empty->setText(pendingAdvice(side).sentence);
    if (running)
        setWhat(tr("Asking about %1").arg(QString::fromStdString(side.request().op)));
    else
        setWhat(side.shown() ? adviceSubject(*side.shown()) : QString());
}

void AdvisorPage::showProgress(quint64 done, quint64 total, const QString& what) {
    if (!m_document->advisor().running()) return;
    setProgress(done, total);
    if (!what.isEmpty()) setWhat(tr("Running %1").arg(what));
}

void AdvisorPage::setNarrow(bool narrow) {
    ToolPage::setNarrow(narrow);
    m_faultsNote->setVisible(!narrow);
    const int widths[] = {190, narrow ? 70 : 84, narrow ? 70 : 84, 52};
    for (int column = 0; column < PowerModel::Remark; ++column)
        m_faults->setColumnWidth(column, widths[column]);
}

QString AdvisorPage::subject() const {
    return tr("Advice on %1").arg(QString::fromStdString(m_document->advisor().shownRequest().op));
}

QString AdvisorPage::commandLine() const {
    return QString::fromStdString(divdet::commandLine(m_document->advisor().request()));
}

} // namespace divdet
