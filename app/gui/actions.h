#pragma once
#include <QList>
#include <QObject>

class QAction;
class QActionGroup;
class QUndoStack;

namespace divdet {

/// Every action of the window; menus, toolbar and the shortcuts window are made from these.
class Actions : public QObject {
    Q_OBJECT
public:
    Actions(QUndoStack* undo, QObject* parent);

    QAction *openReference, *openCandidate, *swapReference, *closeFiles, *quit;
    QAction *undo, *redo, *copyVerdict, *copyCommand;
    QAction *run, *cancel;
    QAction *pageLive, *pageCompare, *pageAdvisor, *pageHunt, *pageStages, *pageLogs, *pageDeterminism,
        *pageTriage, *onePlot, *twoPlots, *resetZoom, *defaultLayout;
    QAction *themeSystem, *themeLight, *themeDark;
    QAction *exportPlot, *exportTaps, *exportReport, *saveResult;
    QAction *filter, *back, *forward, *nextPart, *previousPart, *messages;
    QAction *shortcuts, *about;
    // Single letters: they act while a table or a plot has the focus.
    QAction *onlyBad, *nextBad, *previousBad, *worstElement, *rtolUp, *rtolDown, *presetBf16, *presetFp32,
        *link;

    QList<QAction*> pages() const; ///< in the order of Page
    QList<QAction*> singleKeys() const;
    QList<QAction*> windowWide() const; ///< those of no menu

private:
    QAction* make(const QString& text, const QString& group, const QKeySequence& key,
                  const QString& icon = {});
};

} // namespace divdet
