#pragma once

#include "gui/document.h"
#include "views/tool_page.h"

class QStandardItemModel;
class QTableView;

namespace divdet {

class Label;

/// The first stage of compiling that disagrees with the reference, and whose business that is.
class StagesPage : public ToolPage {
    Q_OBJECT
public:
    explicit StagesPage(Document* document, QWidget* parent = nullptr); ///< objectName "stagesPage"

    QString commandLine() const override;
    QString subject() const override;

private:
    QWidget* makeAnswer();
    QWidget* makeTable();
    void showAll();
    void showTable(const StagesResult* stages);

    Document* m_document;
    Label *m_word, *m_meaning, *m_notes;
    QStandardItemModel* m_model;
    QTableView* m_table;
};

} // namespace divdet
