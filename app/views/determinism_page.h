#pragma once
#include <QWidget>

#include "gui/document.h"

class QProgressBar;
class QPushButton;
class QStandardItemModel;
class QTreeView;

namespace divdet {

class CostBars;
class ElidedLabel;
class Label;

/// Whether the block gives the same bits again, what makes it vary, and what the switch that stops it costs.
/// Its controls are a widget of their own for the left dock.
class DeterminismPage : public QWidget {
    Q_OBJECT
public:
    explicit DeterminismPage(Document* document, QWidget* parent = nullptr); ///< objectName "determinismPage"

    QWidget* controls() const { return m_controls; }
    QString commandLine() const;
    QString subject() const; ///< for the title
    void setNarrow(bool narrow);

signals:
    void commandLineRequested();
    void livePageRequested();

private:
    QWidget* makeStrip();
    QWidget* makeAnswer();
    QWidget* makeTable();
    QWidget* makeCost();
    void showAll();
    void showDetail();
    void showCost(const LabResult* result);

    Document* m_document;
    QWidget* m_controls;
    ElidedLabel* m_what;
    QProgressBar* m_bar;
    QPushButton *m_cancel, *m_command;
    Label *m_word, *m_text, *m_detail, *m_cost, *m_quoted;
    QStandardItemModel* m_model;
    QTreeView* m_table;
    QWidget* m_costCard;
    CostBars* m_bars;
    std::shared_ptr<const LabResult> m_shown;
};

} // namespace divdet
