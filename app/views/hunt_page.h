#pragma once
#include <QWidget>

#include "gui/document.h"

class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTreeView;

namespace divdet {

class ElidedLabel;
class HuntForm;
class HuntTree;

/// Which pass or op makes the block bad: the sets that were tried, the story, the result and its small case.
/// Its controls are a widget of their own for the left dock.
class HuntPage : public QWidget {
    Q_OBJECT
public:
    explicit HuntPage(Document* document, QWidget* parent = nullptr); ///< objectName "huntPage"

    QWidget* controls() const { return m_controls; }
    QString commandLine() const; ///< of what the form and the live page say
    QString subject() const;     ///< for the title
    void setNarrow(bool narrow);

signals:
    void commandLineRequested();
    void livePageRequested();

private:
    QWidget* makeStrip();
    QWidget* makeTree();
    QWidget* makeStory();
    void begin(HuntSide::Work work);
    void sizeColumns();
    void take(const hunt::HuntEvent& event);
    void takeSmaller(const hunt::MinimiseEvent& event);
    void showState();

    Document* m_document;
    QWidget* m_controls;
    ElidedLabel* m_what;
    QProgressBar* m_bar;
    QPushButton *m_pause, *m_cancel, *m_resume, *m_command;
    HuntTree* m_tree;
    QTreeView* m_view;
    QPlainTextEdit* m_story;
    bool m_narrow = false;
};

} // namespace divdet
