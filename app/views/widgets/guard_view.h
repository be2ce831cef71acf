#pragma once
#include <memory>

#include <QWidget>

#include "logs/log_report.h"

class QLineEdit;
class QPushButton;
class QTreeView;

namespace divdet {

class GuardTreeModel;
class Label;

/// The guards of a log's graphs as a tree, with a search. objectName "guardView".
class GuardView : public QWidget {
    Q_OBJECT
public:
    explicit GuardView(QWidget* parent = nullptr);

    /// The same log again, grown: what is searched for, selected and open stays where it can.
    void setReport(std::shared_ptr<const LogReport> report, bool again);
    void setNarrow(bool narrow); ///< leaves the kinds to what stands below the table
    QTreeView* tree() const { return m_tree; }
    void focusSearch();
    void showGraph(std::size_t number); ///< of LogReport::graphs: selects and opens it, and ends the search

private:
    void search();
    void showCounts();
    void openWorst();
    void endSearch();
    bool searching() const;

    GuardTreeModel* m_model;
    QLineEdit* m_search;
    QPushButton* m_failing;
    Label* m_counts;
    QTreeView* m_tree;
    bool m_ending = false; ///< the search is being ended: one answer to that is enough
};

} // namespace divdet
