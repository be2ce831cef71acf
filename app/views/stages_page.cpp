#include "views/stages_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/number_format.h"
#include "gui/theme.h"
#include "models/hunt_tree.h"
#include "session/hunt/hunt_command_line.h"
#include "views/hunt_form.h"
#include "views/widgets/buttons.h"
#include "views/widgets/card.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

enum Columns { Stage, Answer, Verdict, Class, FirstBad, What, ColumnCount };

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

} // namespace

StagesPage::StagesPage(Document* document, QWidget* parent)
    : ToolPage(QStringLiteral("stages"), new HuntForm(document, HuntForm::For::stages), parent)
    , m_document(document) {
    connect(static_cast<HuntForm*>(form()), &HuntForm::livePageRequested, this,
            &StagesPage::livePageRequested);
    connect(this, &StagesPage::cancelRequested, &document->hunt(), &HuntSide::cancel);
    cards()->addWidget(makeAnswer());
    cards()->addWidget(makeTable(), 1);
    HuntSide& side = document->hunt();
    connect(&side, &HuntSide::resultChanged, this, &StagesPage::showAll);
    connect(&side, &HuntSide::runningChanged, this, &StagesPage::showAll);
    connect(&side, &HuntSide::started, this, &StagesPage::showAll);
    connect(document, &Document::runSettingsChanged, this, &StagesPage::showAll);
    connect(&Theme::current(), &Theme::changed, this, &StagesPage::showAll);
    showAll();
}

QWidget* StagesPage::makeAnswer() {
    const Card card = makeCard(tr("First stage that disagrees"), this);
    card.head->addStretch(1);
    m_word = new Label({}, FontStep::card, Token::text1, card.frame);
    m_word->setObjectName(QStringLiteral("stagesWord"));
    card.head->addWidget(m_word);
    m_meaning = new Label({}, FontStep::body, Token::text2, card.frame);
    m_meaning->setObjectName(QStringLiteral("stagesMeaning"));
    m_notes = new Label({}, FontStep::caption, Token::text3, card.frame);
    for (Label* label : {m_meaning, m_notes}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        card.column->addWidget(label);
    }
    return card.frame;
}

QWidget* StagesPage::makeTable() {
    const Card card = makeCard(tr("Stages against the reference"), this);
    card.head->addStretch(1);
    m_model = new QStandardItemModel(0, ColumnCount, this);
    m_model->setHorizontalHeaderLabels(
        {tr("Stage"), tr("Answer"), tr("Verdict"), tr("Class"), tr("First bad tap"), tr("What it shows")});
    m_table = new QTableView(card.frame);
    m_table->setObjectName(QStringLiteral("stagesTable"));
    m_table->setAccessibleName(tr("Stages"));
    m_table->setModel(m_model);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->hide();
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const int widths[] = {96, 84, 92, 92, 130};
    for (int i = 0; i < What; ++i) header->resizeSection(i, widths[i]);
    header->setStretchLastSection(true);
    card.column->addWidget(m_table, 1);
    return card.frame;
}

void StagesPage::showAll() {
    const HuntSide& side = m_document->hunt();
    const bool running = side.running() && side.work() == HuntSide::Work::stages;
    setRunning(running);
    setWhat(subject());
    const StagesResult* stages = side.stages().get();
    showTable(stages);
    m_notes->hide();
    m_word->setText({});
    if (running) {
        m_meaning->setText(tr("Each stage is run with the passes up to it…"));
    } else if (side.error() && side.work() == HuntSide::Work::stages) {
        m_word->setText(tr("FAILED"));
        m_word->setToken(Token::inconFg);
        m_meaning->setText(text(side.error()->text()));
    } else if (!stages) {
        m_meaning->setText(
            tr("Press Find: capture, decompose, lower and replay are run one after the other, each with "
               "the passes up to it. For dumps of the stages there is divdet stages."));
    } else if (stages->first) {
        m_word->setText(text(stages->stages[*stages->first].name));
        m_word->setToken(Token::outsideFg);
        m_meaning->setText(tr("%1: %2.").arg(m_word->text(), text(stages->meaning)));
        QStringList notes;
        if (!stages->sure) notes << tr("A stage before it is unresolved, so it may have begun there.");
        for (const std::string& note : stages->notes) notes << text(note);
        if (side.stagesBlock())
            notes << text(divdet::commandLine(*side.stagesBlock(), side.stagesBlock()->tolerance));
        notes << tr("bad when %1 · %2").arg(text(toString(stages->bad)), num::seconds(stages->seconds));
        m_notes->setText(notes.join(QLatin1Char('\n')));
        m_notes->show();
    } else {
        m_word->setText(stages->sure ? tr("NONE") : tr("UNRESOLVED"));
        m_word->setToken(stages->sure ? Token::withinFg : Token::inconFg);
        m_meaning->setText(stages->sure ? tr("No stage disagrees with the reference.")
                                        : tr("No stage that could be judged disagrees."));
    }
}

void StagesPage::showTable(const StagesResult* stages) {
    m_model->removeRows(0, m_model->rowCount());
    if (!stages) return;
    for (const StageReading& stage : stages->stages) {
        const QString dash = QStringLiteral("–");
        const QString words[] = {text(stage.name),
                                 answerWord(stage.outcome.answer),
                                 stage.verdict ? text(toString(*stage.verdict)) : dash,
                                 stage.pairClass ? text(toString(*stage.pairClass)) : dash,
                                 stage.firstBad.empty() ? dash : text(stage.firstBad),
                                 stage.changed ? text(stage.outcome.text) : tr("nothing is changed here")};
        QList<QStandardItem*> row;
        for (const QString& word : words) {
            row << new QStandardItem(word);
            row.last()->setToolTip(word);
        }
        row[Answer]->setForeground(color(answerToken(stage.outcome.answer)));
        m_model->appendRow(row);
    }
}

QString StagesPage::subject() const {
    const RunSettings& run = m_document->settings().run;
    return tr("Stages of %1").arg(text(run.block));
}

QString StagesPage::commandLine() const {
    const Settings& s = m_document->settings();
    return text(stagesCommandLine(s.run.request(s.live.tolerance), m_document->hunt().question().bad));
}

} // namespace divdet
