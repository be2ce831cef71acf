#include "views/hunt_result.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QVBoxLayout>

#include "dialogs/file_dialogs.h"
#include "gui/fonts.h"
#include "session/repro/repro.h"
#include "views/hunt_text.h"
#include "views/widgets/buttons.h"
#include "views/widgets/card.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

} // namespace

HuntResultView::HuntResultView(Document* document, QWidget* parent)
    : QWidget(parent)
    , m_document(document) {
    setObjectName(QStringLiteral("huntResultView"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(makeResult());
    column->addWidget(makeSmall(), 1);
    m_rest = new QWidget(this); // takes the room of a small case that is not there
    column->addWidget(m_rest, 1);
    HuntSide& side = document->hunt();
    connect(&side, &HuntSide::resultChanged, this, &HuntResultView::showAll);
    connect(&side, &HuntSide::runningChanged, this, &HuntResultView::showAll);
    connect(&side, &HuntSide::pausedChanged, this, &HuntResultView::showAll);
    connect(document, &Document::runSettingsChanged, this, &HuntResultView::showResult);
    connect(&side, &HuntSide::minifyEvent, this, [this](const hunt::MinimiseEvent& event) {
        m_sizes->setText(tr("run %1 of at most %2").arg(event.runs + 1).arg(event.limit));
    });
    showAll();
}

QWidget* HuntResultView::makeResult() {
    const Card card = makeCard(tr("Result"), this);
    card.head->addStretch(1);
    m_word = new Label({}, FontStep::card, Token::text1, card.frame);
    m_word->setObjectName(QStringLiteral("huntWord"));
    card.head->addWidget(m_word);
    const auto add = [&](FontStep step, Token token, const QString& name) {
        auto* label = new Label({}, step, token, card.frame);
        label->setObjectName(name);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        card.column->addWidget(label);
        return label;
    };
    m_names = add(FontStep::card, Token::text1, QStringLiteral("huntNames"));
    m_text = add(FontStep::body, Token::text2, QStringLiteral("huntText"));
    m_numbers = add(FontStep::caption, Token::text3, QStringLiteral("huntNumbers"));
    m_command = new ElidedLabel({}, FontStep::caption, Token::text2, card.frame);
    m_command->setObjectName(QStringLiteral("huntCommand"));
    m_command->setFont(monoFont());
    card.column->addWidget(m_command);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    m_minify = makeButton(tr("Make it small"), ButtonKind::primary, card.frame, QStringLiteral("huntMinify"),
                          QStringLiteral("target"));
    m_minify->setToolTip(tr("Cuts the block down to the few numbers that still show it, and writes a repro"));
    connect(m_minify, &QPushButton::clicked, this, [this] { m_document->hunt().minify(); });
    m_use = makeButton(tr("Show it alone"), ButtonKind::standard, card.frame, QStringLiteral("huntUse"),
                       QStringLiteral("live"));
    m_use->setToolTip(tr("Sets the passes of the live page to what was found (undo brings them back)"));
    connect(m_use, &QPushButton::clicked, this, &HuntResultView::useCulprits);
    m_copyCommand = makeButton(tr("Copy command"), ButtonKind::quiet, card.frame,
                               QStringLiteral("huntCopyCommand"), QStringLiteral("copy"));
    connect(m_copyCommand, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_command->text()); });
    for (QPushButton* button : {m_minify, m_use, m_copyCommand}) buttons->addWidget(button);
    buttons->addStretch(1);
    card.column->addLayout(buttons);
    return card.frame;
}

QWidget* HuntResultView::makeSmall() {
    const Card card = makeCard(tr("Small case"), this);
    m_smallCard = card.frame;
    card.head->addStretch(1);
    m_copy = makeButton(tr("Copy"), ButtonKind::quiet, card.frame, QStringLiteral("huntCopyRepro"),
                        QStringLiteral("copy"));
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_preview->toPlainText()); });
    m_save = makeButton(tr("Save repro…"), ButtonKind::standard, card.frame, QStringLiteral("huntSaveRepro"),
                        QStringLiteral("save"));
    m_save->setToolTip(tr("Writes repro.json, repro.py and repro.md into a folder"));
    connect(m_save, &QPushButton::clicked, this, &HuntResultView::save);
    card.head->addWidget(m_copy);
    card.head->addWidget(m_save);
    m_sizes = new Label({}, FontStep::body, Token::text2, card.frame);
    m_sizes->setObjectName(QStringLiteral("huntSizes"));
    m_sizes->setWordWrap(true);
    card.column->addWidget(m_sizes);
    m_tabs = new QTabBar(card.frame);
    m_tabs->setObjectName(QStringLiteral("huntTabs"));
    m_tabs->setAccessibleName(tr("Files of the repro"));
    m_tabs->setDrawBase(false);
    for (const char* name : {"repro.py", "repro.md", "repro.json"}) m_tabs->addTab(QString::fromLatin1(name));
    connect(m_tabs, &QTabBar::currentChanged, this, &HuntResultView::showText);
    card.column->addWidget(m_tabs);
    m_preview = new QPlainTextEdit(card.frame);
    m_preview->setObjectName(QStringLiteral("huntPreview"));
    m_preview->setAccessibleName(tr("Preview of the repro"));
    m_preview->setReadOnly(true);
    m_preview->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_preview->setFont(monoFont());
    card.column->addWidget(m_preview, 1);
    m_note = new Label({}, FontStep::caption, Token::inconFg, card.frame);
    m_note->setObjectName(QStringLiteral("huntScriptNote"));
    m_note->setWordWrap(true);
    card.column->addWidget(m_note);
    return card.frame;
}

void HuntResultView::showAll() {
    showResult();
    showSmall();
}

void HuntResultView::showResult() {
    const HuntSide& side = m_document->hunt();
    HuntWords words = huntWords(side);
    const Settings& s = m_document->settings();
    if (side.found() && side.block() &&
        commandLine(*side.block(), side.block()->tolerance) !=
            commandLine(s.run.request(s.live.tolerance), s.live.tolerance))
        words.numbers += tr("\nThe live page has changed since: this is of %1.")
                             .arg(text(commandLine(*side.block(), side.block()->tolerance)));
    m_word->setText(words.word);
    m_word->setToken(words.token);
    const std::pair<Label*, QString> lines[] = {
        {m_names, words.names}, {m_text, words.text}, {m_numbers, words.numbers}};
    for (const auto& [label, line] : lines) {
        label->setText(line);
        label->setVisible(!line.isEmpty());
    }
    const bool found = side.found() && side.found()->result.ending == hunt::Ending::found;
    m_command->setText(found && !side.found()->commands.empty() ? text(side.found()->commands.front())
                                                                : QString());
    for (QWidget* widget : {static_cast<QWidget*>(m_command), static_cast<QWidget*>(m_copyCommand),
                            static_cast<QWidget*>(m_use), static_cast<QWidget*>(m_minify)})
        widget->setVisible(found);
    m_minify->setEnabled(side.canMinify());
}

void HuntResultView::showSmall() {
    const HuntSide& side = m_document->hunt();
    const bool working = side.running() && side.work() == HuntSide::Work::minify;
    const bool failed = side.error() && side.work() == HuntSide::Work::minify;
    const auto& small = side.small();
    m_smallCard->setVisible(small || working || failed);
    m_rest->setVisible(!m_smallCard->isVisibleTo(this));
    const bool whole = small && small->repro;
    for (QWidget* widget : {static_cast<QWidget*>(m_copy), static_cast<QWidget*>(m_save),
                            static_cast<QWidget*>(m_tabs), static_cast<QWidget*>(m_preview)})
        widget->setVisible(whole);
    if (working)
        m_sizes->setText(tr("making it small…"));
    else if (failed)
        m_sizes->setText(text(side.error()->text()));
    else
        m_sizes->setText(small ? smallWords(*small) : QString());
    m_tabs->setTabEnabled(0, !whole || !small->script.empty()); // a disabled tab hands on to its neighbour
    showText();
}

void HuntResultView::showText() {
    const auto& small = m_document->hunt().small();
    const std::string* const texts[] = {small ? &small->script : nullptr, small ? &small->markdown : nullptr,
                                        small ? &small->json : nullptr};
    const std::string* shown = texts[std::max(0, m_tabs->currentIndex())];
    const QString now = shown ? text(*shown) : QString();
    if (m_preview->toPlainText() != now) m_preview->setPlainText(now);
    m_note->setText(small && small->repro && small->script.empty()
                        ? tr("There is no repro.py: %1").arg(text(small->noScript))
                        : QString());
    m_note->setVisible(!m_note->text().isEmpty());
}

void HuntResultView::useCulprits() {
    const auto& found = m_document->hunt().found();
    if (!found || found->alone.empty()) return;
    // The whole run, not its passes alone: the block may be another one by now.
    m_document->setRun(RunSettings::of(found->alone.front()), tr("Show what the hunt found"));
    emit m_document->hunt().livePageRequested();
}

void HuntResultView::save() {
    file_dialogs::folder(this, tr("Save the repro into a folder"), [this](const QString& path) {
        const auto small = m_document->hunt().small();
        if (!small || !small->repro) return;
        const auto files = writeRepro(*small->repro, small->run, &small->minified.result, path.toStdString());
        Message message;
        if (files) {
            QStringList names;
            for (const std::string& name : *files) names << text(name);
            message.head = tr("The repro is saved");
            message.text = tr("%1 in %2").arg(names.join(QStringLiteral(", ")), path);
        } else {
            message.kind = MessageKind::error;
            message.head = tr("The repro was not saved");
            message.text = text(files.error().text());
        }
        m_document->post(message);
    });
}

} // namespace divdet
