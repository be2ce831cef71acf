#include "views/hunt_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/theme.h"
#include "session/lists.h"
#include "views/block_box.h"
#include "views/widgets/buttons.h"
#include "views/widgets/label.h"
#include "views/widgets/section_head.h"

namespace divdet {
namespace {

constexpr int kWords = 74; ///< px: fields stand below each other

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

} // namespace

HuntForm::HuntForm(Document* document, For purpose, QWidget* parent)
    : QWidget(parent)
    , m_document(document) {
    const bool isHunt = purpose == For::hunt;
    setObjectName(isHunt ? QStringLiteral("huntForm") : QStringLiteral("stagesForm"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(6);
    column->addWidget(new SectionHead(tr("Block"), this));
    m_block = new Label({}, FontStep::body, Token::text1, this);
    m_block->setObjectName(QStringLiteral("huntBlock"));
    m_block->setWordWrap(true);
    column->addWidget(m_block);
    column->addSpacing(8);
    column->addWidget(new SectionHead(tr("Passes under suspicion"), this));
    m_passes = new Label({}, FontStep::body, Token::text2, this);
    m_passes->setObjectName(QStringLiteral("huntPasses"));
    m_passes->setWordWrap(true);
    column->addWidget(m_passes);
    auto* live = makeButton(tr("Change them on the live page"), ButtonKind::text, this,
                            QStringLiteral("huntLivePage"), QStringLiteral("live"));
    connect(live, &QPushButton::clicked, this, &HuntForm::livePageRequested);
    column->addWidget(live, 0, Qt::AlignLeft);
    column->addSpacing(8);
    column->addWidget(new SectionHead(tr("Question"), this));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, kWords);
    column->addLayout(grid);
    const auto addRow = [&](const QString& word, QWidget* field, const QString& tip) {
        const int row = grid->rowCount();
        auto* label = new Label(word, FontStep::body, Token::text2, this);
        label->setBuddy(field);
        label->setToolTip(tip);
        field->setToolTip(tip);
        field->setAccessibleName(word);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row, 1);
    };
    if (isHunt) {
        m_over = new QComboBox(this);
        m_over->setObjectName(QStringLiteral("huntOver"));
        const std::pair<Over, QString> choices[] = {{Over::passes, tr("the pass")},
                                                    {Over::ops, tr("the op")},
                                                    {Over::pairs, tr("the pass and op")},
                                                    {Over::layers, tr("the layer")},
                                                    {Over::stages, tr("the stage")}};
        for (const auto& [over, word] : choices) m_over->addItem(word, static_cast<int>(over));
        addRow(tr("Find"), m_over, tr("What is switched on and off to see which of it makes the run bad"));
        connect(m_over, &QComboBox::activated, this, [this] {
            change([&](HuntSide::Question& q) { q.over = static_cast<Over>(m_over->currentData().toInt()); });
        });
    }
    m_bad = new QComboBox(this);
    m_bad->setObjectName(isHunt ? QStringLiteral("huntBad") : QStringLiteral("stagesBad"));
    m_bad->setEditable(true);
    m_bad->setInsertPolicy(QComboBox::NoInsert);
    for (const char* word : {"auto", "verdict", "bug", "crash"}) m_bad->addItem(QString::fromLatin1(word));
    addRow(
        tr("Bad when"), m_bad,
        tr("auto: what the run with everything on shows first: a crash, a bug, a verdict outside.\n"
           "verdict: outside the tolerance of the live page. bug: the class is bug, whatever the tolerance.\n"
           "crash: the run ends in an error. finding:ID: the judge finds that"));
    connect(m_bad, &QComboBox::activated, this, &HuntForm::takeBadWhen);
    connect(m_bad->lineEdit(), &QLineEdit::editingFinished, this, &HuntForm::takeBadWhen);
    // A shortcut that hunts takes no focus away: what can be understood counts at once.
    connect(m_bad->lineEdit(), &QLineEdit::textEdited, this, [this](const QString& words) {
        if (const auto bad = parseBadWhen(words.trimmed().toStdString()))
            change([&](HuntSide::Question& q) { q.bad = *bad; });
    });
    m_error = new Label({}, FontStep::caption, Token::outsideFg, this);
    m_error->setObjectName(isHunt ? QStringLiteral("huntBadError") : QStringLiteral("stagesBadError"));
    m_error->setWordWrap(true);
    m_error->hide();
    column->addWidget(m_error);
    if (isHunt) {
        m_all = new QCheckBox(tr("Look for further culprits"), this);
        m_all->setObjectName(QStringLiteral("huntAll"));
        m_all->setToolTip(tr("When it is still bad without the first ones, go on"));
        m_strict = new QCheckBox(tr("Refuse answers that vary"), this);
        m_strict->setObjectName(QStringLiteral("huntStrict"));
        m_strict->setToolTip(
            tr("Otherwise good answers are repeated until the chance of a missed failure is below 1 %"));
        for (QCheckBox* box : {m_all, m_strict}) column->addWidget(box);
        connect(m_all, &QCheckBox::clicked, this,
                [this](bool on) { change([&](HuntSide::Question& q) { q.all = on; }); });
        connect(m_strict, &QCheckBox::clicked, this,
                [this](bool on) { change([&](HuntSide::Question& q) { q.strict = on; }); });
    }
    column->addStretch(1);
    connect(document, &Document::runSettingsChanged, this, &HuntForm::showBlock);
    connect(&document->hunt(), &HuntSide::questionChanged, this, &HuntForm::showQuestion);
    showBlock();
    showQuestion();
}

void HuntForm::change(const std::function<void(HuntSide::Question&)>& edit) {
    HuntSide::Question question = m_document->hunt().question();
    edit(question);
    m_document->hunt().setQuestion(question);
}

void HuntForm::takeBadWhen() {
    const auto bad = parseBadWhen(m_bad->currentText().trimmed().toStdString());
    m_error->setText(bad ? QString() : text(bad.error().text()));
    m_error->setVisible(!bad);
    setStyleProperty(m_bad, "invalid", !bad);
    if (bad) change([&](HuntSide::Question& q) { q.bad = *bad; });
}

void HuntForm::showBlock() {
    const RunSettings& run = m_document->settings().run;
    for (const BlockInfo& block : listBlocks())
        if (block.id == run.block) m_block->setText(blockSummary(run, block));
    QStringList passes;
    for (const auto& pass : run.request(m_document->settings().live.tolerance).passes)
        passes << text(toString(pass));
    m_passes->setText(passes.isEmpty() ? tr("none: a hunt needs at least one")
                                       : passes.join(QStringLiteral("\n")));
}

void HuntForm::showQuestion() {
    const HuntSide::Question& q = m_document->hunt().question();
    if (m_over) m_over->setCurrentIndex(m_over->findData(static_cast<int>(q.over)));
    const auto shown = parseBadWhen(m_bad->currentText().trimmed().toStdString());
    if (!shown || toString(*shown) != toString(q.bad)) m_bad->setCurrentText(text(toString(q.bad)));
    m_error->hide();
    setStyleProperty(m_bad, "invalid", false);
    if (m_all) m_all->setChecked(q.all);
    if (m_strict) m_strict->setChecked(q.strict);
}

} // namespace divdet
