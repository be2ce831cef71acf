#pragma once

#include "gui/document.h"
#include "views/tool_page.h"

class QPlainTextEdit;
class QPushButton;
class QTreeView;

namespace divdet {

class HuntForm;
class HuntTree;

/// Which pass or op makes the block bad: the sets that were tried, the story, the result and its small case.
///
class HuntPage : public ToolPage {
    Q_OBJECT
public:
    explicit HuntPage(Document* document, QWidget* parent = nullptr); ///< objectName "huntPage"

    QString commandLine() const override;
    QString subject() const override;
    void setNarrow(bool narrow) override;

private:
    void addButtons();
    QWidget* makeTree();
    QWidget* makeStory();
    void begin(HuntSide::Work work);
    void sizeColumns();
    void take(const hunt::HuntEvent& event);
    void takeSmaller(const hunt::MinimiseEvent& event);
    void showState();

    Document* m_document;
    QPushButton *m_pause, *m_resume;
    HuntTree* m_tree;
    QTreeView* m_view;
    QPlainTextEdit* m_story;
    bool m_narrow = false;
};

} // namespace divdet
