#pragma once

#include "gui/document.h"
#include "views/tool_page.h"

class QStandardItemModel;
class QTreeView;

namespace divdet {

class CostBars;
class Label;

/// Whether the block gives the same bits again, what makes it vary, and what the switch that stops it costs.
///
class DeterminismPage : public ToolPage {
    Q_OBJECT
public:
    explicit DeterminismPage(Document* document, QWidget* parent = nullptr); ///< objectName "determinismPage"

    QString commandLine() const override;
    QString subject() const override;

private:
    QWidget* makeAnswer();
    QWidget* makeTable();
    QWidget* makeCost();
    void showAll();
    void showDetail();
    void showCost(const LabResult* result);

    Document* m_document;
    Label *m_word, *m_text, *m_detail, *m_cost, *m_quoted;
    QStandardItemModel* m_model;
    QTreeView* m_table;
    QWidget* m_costCard;
    CostBars* m_bars;
    std::shared_ptr<const LabResult> m_shown;
};

} // namespace divdet
