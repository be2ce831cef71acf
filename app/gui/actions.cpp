#include "gui/actions.h"

#include <QAction>
#include <QActionGroup>
#include <QUndoStack>

#include "dialogs/shortcuts_dialog.h"
#include "gui/icons.h"
#include "gui/theme.h"

namespace divdet {

Actions::Actions(QUndoStack* stack, QObject* parent)
    : QObject(parent) {
    const QString files = tr("Files"), running = tr("Run"), tolerance = tr("Tolerance"),
                  taps = tr("Taps and elements"), view = tr("View");
    openCandidate =
        make(tr("&Open candidate…"), files, QKeySequence(Qt::CTRL | Qt::Key_O), QStringLiteral("open"));
    openReference = make(tr("Open &reference…"), files, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    swapReference = make(tr("&Swap reference and candidate"), files,
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), QStringLiteral("swap"));
    closeFiles = make(tr("&Close files"), files, QKeySequence(Qt::CTRL | Qt::Key_W));
    exportPlot =
        make(tr("Save the &plot…"), files, QKeySequence(Qt::CTRL | Qt::Key_E), QStringLiteral("export"));
    exportTaps = make(tr("Save the &taps as CSV…"), files, {});
    exportReport = make(tr("Export &report…"), files, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
    saveResult = make(tr("Save res&ult…"), files, QKeySequence(Qt::CTRL | Qt::Key_S));
    copyVerdict = make(tr("Copy verdict as &Markdown"), files, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                       QStringLiteral("copy"));
    copyCommand = make(tr("Copy the command &line"), files, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K),
                       QStringLiteral("term"));
    quit = make(tr("&Quit"), files, QKeySequence(Qt::CTRL | Qt::Key_Q));

    undo = stack->createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    undo->setIcon(icon(QStringLiteral("undo")));
    setShortcutGroup(undo, running);
    setShortcutText(undo, tr("Undo a setting"));
    redo = stack->createRedoAction(this, tr("Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    redo->setIcon(icon(QStringLiteral("redo")));
    setShortcutGroup(redo, running);
    setShortcutText(redo, tr("Redo"));
    run = make(tr("&Run or re-run"), running, QKeySequence(Qt::Key_F5), QStringLiteral("play"));
    cancel = make(tr("&Cancel"), running, QKeySequence(Qt::Key_Escape), QStringLiteral("stop"));

    pageLive = make(tr("&Live block"), view, QKeySequence(Qt::CTRL | Qt::Key_1), QStringLiteral("live"));
    pageCompare = make(tr("&Compare"), view, QKeySequence(Qt::CTRL | Qt::Key_2), QStringLiteral("compare"));
    pageAdvisor = make(tr("&Advisor"), view, QKeySequence(Qt::CTRL | Qt::Key_3), QStringLiteral("advisor"));
    pageHunt = make(tr("&Hunt"), view, QKeySequence(Qt::CTRL | Qt::Key_4), QStringLiteral("hunt"));
    pageStages = make(tr("&Stages"), view, QKeySequence(Qt::CTRL | Qt::Key_5), QStringLiteral("layers"));
    pageLogs = make(tr("Lo&gs"), view, QKeySequence(Qt::CTRL | Qt::Key_6), QStringLiteral("log"));
    pageDeterminism =
        make(tr("&Determinism"), view, QKeySequence(Qt::CTRL | Qt::Key_7), QStringLiteral("dice"));
    pageTriage = make(tr("&Triage"), view, QKeySequence(Qt::CTRL | Qt::Key_9), QStringLiteral("tree"));
    auto* group = new QActionGroup(this);
    for (QAction* page : pages()) {
        page->setCheckable(true);
        group->addAction(page);
    }
    onePlot = make(tr("&One plot"), view, QKeySequence(Qt::ALT | Qt::Key_1), QStringLiteral("g1"));
    twoPlots = make(tr("&Two plots"), view, QKeySequence(Qt::ALT | Qt::Key_2), QStringLiteral("g2"));
    resetZoom = make(tr("Reset &zoom"), view, QKeySequence(Qt::CTRL | Qt::Key_0), QStringLiteral("reset"));
    defaultLayout = make(tr("&Default layout"), view, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L));
    nextPart = make(tr("Next part of the window"), view, QKeySequence(Qt::Key_F6));
    previousPart = make(tr("Previous part of the window"), view, QKeySequence(Qt::SHIFT | Qt::Key_F6));
    messages = make(tr("To the messages"), view, QKeySequence(Qt::ALT | Qt::Key_M));
    auto* themes = new QActionGroup(this);
    const auto theme = [&](const QString& text) {
        QAction* action = make(text, {}, {});
        action->setCheckable(true);
        return themes->addAction(action);
    };
    themeSystem = theme(tr("&System"));
    themeLight = theme(tr("&Light"));
    themeDark = theme(tr("&Dark"));
    shortcuts =
        make(tr("&Keyboard shortcuts"), view, QKeySequence(QStringLiteral("?")), QStringLiteral("key"));
    about = make(tr("&About Divergence Detective"), {}, {});

    filter = make(tr("&Filter taps or guards"), taps, QKeySequence(Qt::CTRL | Qt::Key_F),
                  QStringLiteral("filter"));
    back = make(tr("&Back"), taps, QKeySequence(Qt::ALT | Qt::Key_Left), QStringLiteral("left"));
    forward = make(tr("F&orward"), taps, QKeySequence(Qt::ALT | Qt::Key_Right), QStringLiteral("right"));
    onlyBad = make(tr("Only bad taps"), taps, QKeySequence(Qt::Key_B));
    nextBad = make(tr("Next bad tap"), taps, QKeySequence(Qt::Key_N));
    previousBad = make(tr("Previous bad tap"), taps, QKeySequence(Qt::Key_P));
    worstElement = make(tr("Element with the largest error"), taps, QKeySequence(Qt::Key_W));
    rtolUp = make(tr("rtol up by a tenth of a decade"), tolerance, QKeySequence(Qt::Key_BracketRight));
    rtolDown = make(tr("rtol down by a tenth of a decade"), tolerance, QKeySequence(Qt::Key_BracketLeft));
    presetBf16 = make(tr("Preset bf16"), tolerance, QKeySequence(Qt::Key_1));
    presetFp32 = make(tr("Preset fp32"), tolerance, QKeySequence(Qt::Key_2));
    link = make(tr("Link rtol and atol"), tolerance, QKeySequence(Qt::Key_L));
    for (QAction* action : singleKeys()) action->setShortcutContext(Qt::WidgetWithChildrenShortcut);

    connect(&Theme::current(), &Theme::changed, this, [this] {
        for (QAction* action : findChildren<QAction*>())
            if (const QString name = action->property("iconName").toString(); !name.isEmpty())
                action->setIcon(icon(name));
        undo->setIcon(icon(QStringLiteral("undo")));
        redo->setIcon(icon(QStringLiteral("redo")));
    });
}

QAction* Actions::make(const QString& text, const QString& group, const QKeySequence& key,
                       const QString& iconName) {
    auto* action = new QAction(text, this);
    if (!key.isEmpty()) action->setShortcut(key);
    if (!group.isEmpty()) setShortcutGroup(action, group);
    if (!iconName.isEmpty()) {
        action->setIcon(icon(iconName));
        action->setProperty("iconName", iconName);
    }
    return action;
}

QList<QAction*> Actions::pages() const {
    return {pageLive, pageCompare, pageAdvisor, pageHunt, pageStages, pageLogs, pageDeterminism, pageTriage};
}

QList<QAction*> Actions::singleKeys() const {
    return {onlyBad, nextBad, previousBad, worstElement, rtolUp, rtolDown, presetBf16, presetFp32, link};
}

QList<QAction*> Actions::windowWide() const {
    return {cancel, nextPart, previousPart, messages};
}

} // namespace divdet
