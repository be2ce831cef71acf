#include "gui/tool_bar.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "gui/actions.h"
#include "gui/document.h"
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
    : QToolBar(parent)
    , m_actions(actions)
    , m_document(document) {
    setObjectName(QStringLiteral("toolBar"));
    setWindowTitle(tr("Toolbar"));
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setFixedHeight(kHeight);
    setIconSize({16, 16});

    m_open = new QToolButton(this);
    m_open->setObjectName(QStringLiteral("openButton"));
    m_open->setText(tr("Open…"));
    m_open->setToolTip(tr("Open one or more files: the first is the reference when there is none"));
    m_open->setAccessibleName(tr("Open"));
    m_open->setFocusPolicy(Qt::TabFocus);
    m_open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setButtonIcon(m_open, QStringLiteral("open"));
    connect(m_open, &QToolButton::clicked, actions->openCandidate, &QAction::trigger);
    addWidget(m_open);
    addSeparator();
    m_pages[0] = addPage(actions->pageLive, QStringLiteral("pageLive"), QStringLiteral("live"));
    m_pages[1] = addPage(actions->pageCompare, QStringLiteral("pageCompare"), QStringLiteral("compare"));
    auto* stretch = new QWidget(this);
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(stretch);
    addWidget(iconButton(actions->undo, QStringLiteral("undoButton"), this));
    addWidget(iconButton(actions->redo, QStringLiteral("redoButton"), this));

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
    addWidget(m_export);

    m_run =
        makeButton(tr("Run"), ButtonKind::primary, this, QStringLiteral("runButton"), QStringLiteral("play"));
    m_run->setToolTip(tr("Run it again (F5)"));
    connect(m_run, &QPushButton::clicked, actions->run, &QAction::trigger);
    auto* gap = new QWidget(this);
    gap->setFixedWidth(8);
    addWidget(gap);
    addWidget(m_run);
    connect(document, &Document::sideChanged, this, &ToolBar::showRun);
    connect(document, &Document::resultChanged, this, &ToolBar::showRun);
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
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::toggled, button, &QToolButton::setChecked);
    // A click on the page that is shown would uncheck the button but not the action.
    connect(button, &QToolButton::clicked, this,
            [button, action] { button->setChecked(action->isChecked()); });
    addWidget(button);
    return button;
}

void ToolBar::showRun() {
    const bool live = m_document->side() == Side::live;
    const bool ready = live || m_document->files().canCompare();
    m_run->setText(live ? tr("Run") : ready ? tr("Re-run") : tr("Compare"));
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
