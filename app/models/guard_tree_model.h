#pragma once
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <QAbstractItemModel>

#include "logs/guard_search.h"
#include "logs/log_report.h"

namespace divdet {

/// Graphs, and below each what it is guarded on. Shows what is searched for and what that stands below; reads
/// the report in place, since a model's guards are many.
class GuardTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Columns { What, Failed, Code, Place, Kind, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: shows nothing. Keeps what is searched for.
    void setReport(std::shared_ptr<const LogReport> report);
    void setSearch(const GuardSearch& search);
    std::size_t hits() const { return m_hits; }     ///< guards that are searched for; all where nothing is
    std::size_t guards() const { return m_guards; } ///< that the log lists
    /// The guard that failed most often; of equals the first. Invalid where none that is shown failed.
    QModelIndex worst() const;
    /// The row of a graph; invalid where it is not shown.
    QModelIndex graph(std::size_t number) const;

    /// What a row stands for, in whatever report of the same log: rank, run and id of a graph, and the guard
    /// in its tree (-1: the graph itself).
    using Identity = std::tuple<int, int, std::string, std::ptrdiff_t>;
    void forEachRow(const std::function<void(const QModelIndex&, const Identity&)>& visit) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::size_t graph;         ///< in the report
        std::ptrdiff_t guard = -1; ///< in its tree; -1: the graph itself
        std::ptrdiff_t parent = -1;
        int at = 0; ///< among the rows of its parent
        std::vector<std::size_t> children;
    };
    void rebuild();
    void addGraph(std::size_t number);
    std::size_t addRow(std::size_t graph, std::ptrdiff_t guard, std::ptrdiff_t parent);
    const Row* rowOf(const QModelIndex& index) const;
    const Guard* guardOf(const Row& row) const;
    QVariant graphCell(const Row& row, int column, int role) const;
    QVariant guardCell(const Guard& guard, int column, int role) const;

    std::shared_ptr<const LogReport> m_report;
    GuardSearch m_search;
    std::vector<Row> m_rows;
    std::vector<std::size_t> m_top;
    std::size_t m_hits = 0, m_guards = 0;
};

} // namespace divdet
