#pragma once
#include <QWidget>

#include "gui/document.h"

class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QStandardItemModel;
class QTabBar;
class QTreeView;

namespace divdet {

class ElidedLabel;
class Label;
class LogTimeline;

/// What a log of torch.compile says: recompiles, graph breaks, graphs, changes since another log, time, and
/// the fix of what is selected. Its controls are a widget of their own for the left dock.
class LogsPage : public QWidget {
    Q_OBJECT
public:
    explicit LogsPage(Document* document, QWidget* parent = nullptr); ///< objectName "logsPage"

    QWidget* controls() const { return m_controls; }
    QString commandLine() const; ///< empty for pasted text
    QString subject() const;     ///< for the title
    void askForFiles();
    void setNarrow(bool narrow);
    void openSample();

    enum Tabs { Recompiles, Breaks, Timeline, Graphs, Changes, Lines, TabCount };

signals:
    void commandLineRequested();

private:
    QWidget* makeStrip();
    QWidget* makeEmpty();
    QWidget* makeTables();
    void pasteClipboard();
    void save(const QString& suffix);
    void showAll();
    void showTab();
    void showSelected();

    Document* m_document;
    QWidget* m_controls;
    ElidedLabel* m_what;
    QProgressBar* m_bar;
    QPushButton *m_cancel, *m_command, *m_export;
    QStackedWidget *m_body, *m_views;
    Label *m_emptyText, *m_fix;
    QTabBar* m_tabs;
    QStandardItemModel* m_models[TabCount] = {};
    QTreeView* m_tables[TabCount] = {};
    LogTimeline* m_timeline;
    QPlainTextEdit* m_detail;
    QPushButton* m_copyFix;
    std::shared_ptr<const LogsAnswer> m_shown;
    QString m_shownSource;
};

} // namespace divdet
