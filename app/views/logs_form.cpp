#include "views/logs_form.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "dialogs/file_dialogs.h"
#include "report/logs_report.h"
#include "views/widgets/buttons.h"
#include "views/widgets/label.h"
#include "views/widgets/section_head.h"

namespace divdet {
namespace {

constexpr int kMostRanks = 65535;

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

} // namespace

LogsForm::LogsForm(Document* document, QWidget* parent)
    : QWidget(parent)
    , m_document(document) {
    setObjectName(QStringLiteral("logsForm"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(6);
    column->addWidget(new SectionHead(tr("Log"), this));
    m_source = new ElidedLabel({}, FontStep::body, Token::text1, this);
    m_source->setObjectName(QStringLiteral("logsSource"));
    m_source->setElideMode(Qt::ElideMiddle);
    column->addWidget(m_source);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    auto* open = makeButton(tr("Open…"), ButtonKind::standard, this, QStringLiteral("logsOpen"),
                            QStringLiteral("open"));
    open->setToolTip(tr("Text of TORCH_LOGS, or files of TORCH_TRACE"));
    auto* paste = makeButton(tr("Paste"), ButtonKind::standard, this, QStringLiteral("logsPaste"),
                             QStringLiteral("copy"));
    paste->setToolTip(tr("Read what is on the clipboard"));
    connect(open, &QPushButton::clicked, this, &LogsForm::openRequested);
    connect(paste, &QPushButton::clicked, this, &LogsForm::pasteRequested);
    buttons->addWidget(open);
    buttons->addWidget(paste);
    buttons->addStretch(1);
    column->addLayout(buttons);
    m_follow = new QCheckBox(tr("Follow while it grows"), this);
    m_follow->setObjectName(QStringLiteral("logsFollow"));
    connect(m_follow, &QCheckBox::clicked, this, [this](bool on) { m_document->logs().setFollowing(on); });
    column->addWidget(m_follow);
    auto* rank = new QHBoxLayout;
    auto* word = new Label(tr("Rank"), FontStep::body, Token::text2, this);
    m_rank = new QSpinBox(this);
    m_rank->setObjectName(QStringLiteral("logsRank"));
    m_rank->setAccessibleName(tr("Rank"));
    m_rank->setRange(-1, kMostRanks);
    m_rank->setValue(-1);
    m_rank->setSpecialValueText(tr("all"));
    m_rank->setKeyboardTracking(false);
    m_rank->setToolTip(tr("Only this rank's lines; the others are counted"));
    word->setBuddy(m_rank);
    connect(m_rank, &QSpinBox::valueChanged, this, [this](int value) {
        m_document->logs().setRank(value < 0 ? std::nullopt : std::optional(value));
    });
    rank->addWidget(word);
    rank->addWidget(m_rank, 1);
    column->addLayout(rank);

    column->addSpacing(8);
    column->addWidget(new SectionHead(tr("Before the fix"), this));
    m_before = new ElidedLabel({}, FontStep::body, Token::text2, this);
    m_before->setObjectName(QStringLiteral("logsBefore"));
    m_before->setElideMode(Qt::ElideMiddle);
    column->addWidget(m_before);
    auto* before = new QHBoxLayout;
    before->setSpacing(8);
    auto* choose = makeButton(tr("Compare with…"), ButtonKind::standard, this,
                              QStringLiteral("logsChooseBefore"), QStringLiteral("compare"));
    choose->setToolTip(tr("The log from before a fix: what went away, what is new and what stayed"));
    connect(choose, &QPushButton::clicked, this, &LogsForm::askForBefore);
    m_clearBefore = makeButton(tr("None"), ButtonKind::quiet, this, QStringLiteral("logsClearBefore"));
    connect(m_clearBefore, &QPushButton::clicked, this, [this] { m_document->logs().setBefore({}); });
    before->addWidget(choose);
    before->addWidget(m_clearBefore);
    before->addStretch(1);
    column->addLayout(before);

    column->addSpacing(8);
    column->addWidget(new SectionHead(tr("Verdict"), this));
    m_word = new Label({}, FontStep::card, Token::text1, this);
    m_word->setObjectName(QStringLiteral("logsWord"));
    m_sentence = new Label({}, FontStep::body, Token::text2, this);
    m_sentence->setObjectName(QStringLiteral("logsSentence"));
    m_notes = new Label({}, FontStep::caption, Token::text3, this);
    m_notes->setObjectName(QStringLiteral("logsNotes"));
    column->addWidget(m_word);
    for (Label* label : {m_sentence, m_notes}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    column->addStretch(1);
    LogsSide& side = document->logs();
    connect(&side, &LogsSide::sourceChanged, this, &LogsForm::showSource);
    connect(&side, &LogsSide::answerChanged, this, &LogsForm::showAnswer);
    showSource();
    showAnswer();
}

void LogsForm::askForBefore() {
    file_dialogs::open(this, tr("The log from before the fix"), false, [this](const QStringList& paths) {
        if (!paths.isEmpty()) m_document->logs().setBefore(paths.first());
    });
}

void LogsForm::showSource() {
    const LogsSide& side = m_document->logs();
    m_source->setText(side.isEmpty() ? tr("nothing open") : side.subject());
    m_before->setText(side.beforePath().isEmpty() ? tr("none") : QFileInfo(side.beforePath()).fileName());
    m_clearBefore->setVisible(!side.beforePath().isEmpty());
    m_follow->setChecked(side.following());
    m_follow->setEnabled(!side.isPasted());
}

void LogsForm::showAnswer() {
    const LogsSide& side = m_document->logs();
    const auto& answer = side.answer();
    if (!answer) {
        m_word->setText(side.error() ? tr("UNREADABLE") : QString());
        m_word->setToken(Token::inconFg);
        m_sentence->setText(side.error() ? text(side.error()->text()) : tr("No log is read yet."));
        m_notes->setText({});
        return;
    }
    const LogsDocument document = logsDocument(answer->report, nullptr);
    // Nothing to read is no proof of health.
    const bool nothing = answer->report.recordLines == 0;
    m_word->setText(answer->report.storm ? tr("STORM") : nothing ? tr("NOTHING RECOGNISED") : tr("CLEAN"));
    m_word->setToken(answer->report.storm ? Token::outsideFg : nothing ? Token::inconFg : Token::withinFg);
    m_sentence->setText(text(document.sentence));
    QStringList notes;
    for (const std::string& note : document.notes)
        if (!note.starts_with("not understood")) notes << text(note);
    if (!answer->report.ranks.empty())
        notes << (answer->report.ranks.size() == 1 ? tr("one rank: %1").arg(answer->report.ranks.front())
                                                   : tr("%1 ranks").arg(answer->report.ranks.size()));
    if (answer->report.compiles > 0)
        notes << tr("%1 s lost in %2 compiles")
                     .arg(answer->report.compileSeconds, 0, 'g', 3)
                     .arg(answer->report.compiles);
    m_notes->setText(notes.join(QLatin1Char('\n')));
}

} // namespace divdet
