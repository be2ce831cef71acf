#include "gui/tool_bar.h"

#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "gui/actions.h"
#include "gui/document.h"
#include "gui/theme.h"
#include "views/widgets/buttons.h"

namespace divdet {
namespace {

constexpr int kHeight = 40;

QToolButton* iconButton(QAction* action, const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setDefaultAction(action);
    setButtonKind(button, ButtonKind::icon);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

ToolBar::ToolBar(Actions* actions, Document* document, QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_actions(actions)
    , m_document(document) {
    setObjectName(QStringLiteral("toolBar"));
    setFixedHeight(kHeight);
    m_row->setContentsMargins(8, 0, 8, 1);
    m_row->setSpacing(4);

    m_open = new QToolButton(this);
    m_open->setObjectName(QStringLiteral("openButton"));
    m_open->setText(tr("Open…"));
    m_open->setToolTip(tr("Open one or more files: the first is the reference when there is none"));
    m_open->setAccessibleName(tr("Open"));
    m_open->setFocusPolicy(Qt::TabFocus);
    m_open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setButtonIcon(m_open, QStringLiteral("open"));
    connect(m_open, &QToolButton::clicked, actions->openCandidate, &QAction::trigger);
    m_row->addWidget(m_open);
    auto* line = new QFrame(this);
    line->setObjectName(QStringLiteral("toolLine"));
    line->setFixedSize(9, 20);
    line->setFrameShape(QFrame::VLine);
    line->setForegroundRole(QPalette::Mid);
    m_row->addWidget(line);
    const char* const names[] = {"pageLive",   "pageCompare", "pageAdvisor",     "pageHunt",
                                 "pageStages", "pageLogs",    "pageDeterminism", "pageTriage"};
    const char* const icons[] = {"live", "compare", "advisor", "hunt", "layers", "log", "dice", "tree"};
    const QList<QAction*> pages = actions->pages();
    for (qsizetype i = 0; i < pages.size(); ++i)
        m_pages << addPage(pages[i], QString::fromLatin1(names[i]), QString::fromLatin1(icons[i]));
    m_row->addStretch(1);
    m_row->addWidget(iconButton(actions->undo, QStringLiteral("undoButton"), this));
    m_row->addWidget(iconButton(actions->redo, QStringLiteral("redoButton"), this));

    m_export = new QToolButton(this);
    m_export->setObjectName(QStringLiteral("exportButton"));
    m_export->setText(tr("Export ▾"));
    m_export->setAccessibleName(tr("Export"));
    m_export->setToolTip(tr("Export"));
    m_export->setFocusPolicy(Qt::TabFocus);
    m_export->setPopupMode(QToolButton::InstantPopup);
    m_export->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setButtonIcon(m_export, QStringLiteral("export"));
    auto* menu = new QMenu(m_export);
    menu->addActions({actions->exportPlot, actions->exportTaps});
    menu->addSeparator();
    menu->addActions({actions->copyVerdict, actions->copyCommand});
    m_export->setMenu(menu);
    m_row->addWidget(m_export);

    m_run =
        makeButton(tr("Run"), ButtonKind::primary, this, QStringLiteral("runButton"), QStringLiteral("play"));
    m_run->setToolTip(tr("Run it again (F5)"));
    connect(m_run, &QPushButton::clicked, actions->run, &QAction::trigger);
    m_row->addSpacing(8);
    m_row->addWidget(m_run);
    connect(document, &Document::sideChanged, this, &ToolBar::showRun);
    connect(document, &Document::resultChanged, this, &ToolBar::showRun);
    connect(&document->logs(), &LogsSide::sourceChanged, this, &ToolBar::showRun);
    showRun();
}

QToolButton* ToolBar::addPage(QAction* action, const QString& name, const QString& iconName) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    setButtonKind(button, ButtonKind::page);
    button->setText(action->text().remove(QLatin1Char('&')));
    button->setToolTip(action->shortcut().toString(QKeySequence::NativeText));
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setButtonIcon(button, iconName);
    button->setCheckable(true);
    button->setFixedHeight(kHeight - 1);
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::toggled, button, &QToolButton::setChecked);
    // A click on the page that is shown would uncheck the button but not the action.
    connect(button, &QToolButton::clicked, this,
            [button, action] { button->setChecked(action->isChecked()); });
    m_row->addWidget(button);
    return button;
}

void ToolBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), color(Token::panel));
    painter.fillRect(0, height() - 1, width(), 1, color(Token::border));
}

void ToolBar::showRun() {
    const Page page = m_document->page();
    const bool ready = page == Page::compare ? m_document->files().canCompare()
                       : page == Page::logs  ? !m_document->logs().isEmpty()
                                             : page != Page::triage;
    m_run->setText(page == Page::live          ? tr("Run")
                   : page == Page::advisor     ? tr("Advise")
                   : page == Page::hunt        ? tr("Hunt")
                   : page == Page::stages      ? tr("Find")
                   : page == Page::logs        ? tr("Read again")
                   : page == Page::determinism ? tr("Measure")
                   : page == Page::triage      ? tr("Run")
                   : ready                     ? tr("Re-run")
                                               : tr("Compare"));
    m_run->setEnabled(ready);
    m_actions->run->setEnabled(ready);
}

void ToolBar::setNarrow(bool narrow) {
    const auto icons = narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
    m_open->setToolButtonStyle(icons);
    m_export->setToolButtonStyle(icons);
    for (QToolButton* page : m_pages)
        page->setToolButtonStyle(narrow ? Qt::ToolButtonTextOnly : Qt::ToolButtonTextBesideIcon);
}

} // namespace divdet
