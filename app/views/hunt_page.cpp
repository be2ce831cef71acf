#include "views/hunt_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/fonts.h"
#include "gui/number_format.h"
#include "models/hunt_tree.h"
#include "session/hunt/hunt_command_line.h"
#include "views/hunt_form.h"
#include "views/hunt_result.h"
#include "views/widgets/buttons.h"
#include "views/widgets/card.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

} // namespace

HuntPage::HuntPage(Document* document, QWidget* parent)
    : ToolPage(QStringLiteral("hunt"), new HuntForm(document, HuntForm::For::hunt), parent)
    , m_document(document) {
    connect(static_cast<HuntForm*>(form()), &HuntForm::livePageRequested, this, &HuntPage::livePageRequested);
    connect(this, &HuntPage::cancelRequested, &document->hunt(), &HuntSide::cancel);
    addButtons();
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(makeTree(), 3);
    left->addWidget(makeStory(), 2);
    row->addLayout(left, 1);
    row->addWidget(new HuntResultView(document, this), 1);
    cards()->addLayout(row, 1);
    HuntSide& side = document->hunt();
    connect(&side, &HuntSide::started, this, &HuntPage::begin);
    connect(&side, &HuntSide::huntEvent, this, &HuntPage::take);
    connect(&side, &HuntSide::minifyEvent, this, &HuntPage::takeSmaller);
    connect(&side, &HuntSide::resultChanged, this, &HuntPage::showState);
    connect(&side, &HuntSide::runningChanged, this, &HuntPage::showState);
    connect(&side, &HuntSide::pausedChanged, this, &HuntPage::showState);
    connect(&side, &HuntSide::livePageRequested, this, &HuntPage::livePageRequested);
    connect(document, &Document::runSettingsChanged, this, &HuntPage::showState);
    showState();
}

void HuntPage::addButtons() {
    m_pause = makeButton(tr("Pause"), ButtonKind::quiet, this, QStringLiteral("huntPause"));
    m_pause->setToolTip(tr("After the run that is going on"));
    connect(m_pause, &QPushButton::clicked, this,
            [this] { m_document->hunt().setPaused(!m_document->hunt().paused()); });
    m_resume = makeButton(tr("Resume"), ButtonKind::standard, this, QStringLiteral("huntResume"),
                          QStringLiteral("play"));
    m_resume->setToolTip(tr("Goes on with the hunt that was stopped; its runs are kept"));
    connect(m_resume, &QPushButton::clicked, this, [this] { m_document->hunt().resume(); });
    addToStrip(m_pause);
    addToStrip(m_resume);
}

QWidget* HuntPage::makeTree() {
    const Card card = makeCard(tr("Tried"), this);
    card.head->addStretch(1);
    m_tree = new HuntTree(this);
    m_view = new QTreeView(card.frame);
    m_view->setObjectName(QStringLiteral("huntTree"));
    m_view->setAccessibleName(tr("Sets that were tried"));
    m_view->setModel(m_tree);
    m_view->setUniformRowHeights(true);
    m_view->setAlternatingRowColors(true);
    m_view->setIndentation(14);
    m_view->setTextElideMode(Qt::ElideRight);
    m_view->header()->setHighlightSections(false);
    card.column->addWidget(m_view, 1);
    return card.frame;
}

QWidget* HuntPage::makeStory() {
    const Card card = makeCard(tr("Story"), this);
    card.head->addStretch(1);
    m_story = new QPlainTextEdit(card.frame);
    m_story->setObjectName(QStringLiteral("huntStory"));
    m_story->setAccessibleName(tr("Story of the hunt"));
    m_story->setReadOnly(true);
    m_story->setFont(monoFont());
    m_story->setPlaceholderText(tr("What is tried, and what came of it, line by line"));
    card.column->addWidget(m_story, 1);
    return card.frame;
}

void HuntPage::begin(HuntSide::Work work) {
    setProgress(0, 0); // until the first event says how many runs there are
    setWhat(tr("starting…"));
    if (work == HuntSide::Work::hunt) {
        m_tree->restart();
        sizeColumns();
        m_story->clear();
    } else if (work == HuntSide::Work::minify) {
        m_story->appendPlainText(tr("\nmaking it small"));
    }
    showState();
}

void HuntPage::sizeColumns() {
    QHeaderView* header = m_view->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(HuntTree::Tried, QHeaderView::Stretch);
    for (const int column : {HuntTree::Answer, HuntTree::Suspects, HuntTree::Run})
        header->setSectionResizeMode(column, QHeaderView::Interactive);
    header->resizeSection(HuntTree::Answer, m_narrow ? 76 : 190);
    header->resizeSection(HuntTree::Suspects, 64);
    header->resizeSection(HuntTree::Run, 56);
    header->setSectionHidden(HuntTree::Suspects, m_narrow);
}

void HuntPage::take(const hunt::HuntEvent& event) {
    m_tree->take(event);
    if (const QModelIndex newest = m_tree->newest(); newest.isValid()) {
        for (QModelIndex above = newest.parent(); above.isValid(); above = above.parent())
            m_view->expand(above);
        m_view->scrollTo(newest);
    }
    if (event.kind != hunt::HuntEvent::Kind::starting) m_story->appendPlainText(text(event.line));
    setProgress(event.runs, event.runs + event.left);
    QString what = tr("run %1, about %2 left").arg(event.runs + 1).arg(event.left);
    if (event.etaSeconds > 0) what += tr(" · %1 to go").arg(num::seconds(event.etaSeconds));
    setWhat(what + QStringLiteral(" · ") + text(event.line));
}

void HuntPage::takeSmaller(const hunt::MinimiseEvent& event) {
    if (!event.line.empty()) m_story->appendPlainText(text(event.line));
    setProgress(event.runs, event.limit);
}

void HuntPage::showState() {
    const HuntSide& side = m_document->hunt();
    const bool running = side.running() && side.work() != HuntSide::Work::stages;
    if (!running) {
        m_tree->stop();
        setWhat(subject());
    }
    setRunning(running);
    m_pause->setVisible(running);
    m_pause->setText(side.paused() ? tr("Go on") : tr("Pause"));
    m_resume->setVisible(side.canResume());
}

QString HuntPage::subject() const {
    const RunSettings& run = m_document->settings().run;
    const auto passes = run.request(m_document->settings().live.tolerance).passes.size();
    return passes == 1 ? tr("Hunt in %1, 1 pass on").arg(text(run.block))
                       : tr("Hunt in %1, %2 passes on").arg(text(run.block)).arg(passes);
}

QString HuntPage::commandLine() const {
    const HuntSide::Question& q = m_document->hunt().question();
    const Settings& s = m_document->settings();
    return text(huntCommandLine(s.run.request(s.live.tolerance), q.over, q.bad, q.all, q.strict));
}

void HuntPage::setNarrow(bool narrow) {
    m_narrow = narrow;
    sizeColumns();
    ToolPage::setNarrow(narrow);
}

} // namespace divdet
