#pragma once

#include "gui/document.h"
#include "views/tool_page.h"

class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QStandardItemModel;
class QTabBar;
class QTreeView;

namespace divdet {

class Label;
class GuardView;
class LogTimeline;

/// What a log of torch.compile says: recompiles, graph breaks, graphs, changes since another log, time, and
/// the fix of what is selected.
class LogsPage : public ToolPage {
    Q_OBJECT
public:
    explicit LogsPage(Document* document, QWidget* parent = nullptr); ///< objectName "logsPage"

    QString commandLine() const override; ///< empty for pasted text
    QString subject() const override;
    void askForFiles();
    void setNarrow(bool narrow) override;
    void openSample();

    void focusSearch(); ///< of the guards, where the log has them

    enum Tabs { Recompiles, Breaks, Timeline, Graphs, Guards, Changes, Lines, TabCount };

private:
    void addExport();
    void addTab(int tab, QWidget* parent);
    QWidget* makeEmpty();
    QWidget* makeTables();
    void pasteClipboard();
    void save(const QString& suffix);
    void showGuardsOf(const QModelIndex& graph);
    void showAll();
    void showTab();
    void showSelected();

    Document* m_document;
    QPushButton* m_export;
    QStackedWidget *m_body, *m_views;
    Label *m_emptyText, *m_fix;
    QTabBar* m_tabs;
    QStandardItemModel* m_models[TabCount] = {};
    QTreeView* m_tables[TabCount] = {};
    LogTimeline* m_timeline;
    GuardView* m_guards;
    QPlainTextEdit* m_detail;
    QPushButton* m_copyFix;
    std::shared_ptr<const LogsAnswer> m_shown;
    int m_shownSource = -1;
};

} // namespace divdet
