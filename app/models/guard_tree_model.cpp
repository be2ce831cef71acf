#include "models/guard_tree_model.h"

#include "gui/fonts.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "models/log_tables.h"

namespace divdet {
namespace {

/// What a cell shows of a text; the whole of it stands below the table.
constexpr std::size_t kLongestCell = 500;

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QString cell(std::string_view s) {
    return text(s.substr(0, kLongestCell)).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

/// The keys of a tensor's dispatch are long and in front of what mostly differs: its dtype and sizes.
std::string withoutDispatchKeys(const std::string& s) {
    const auto keys = s.find("DispatchKeySet(");
    const auto end = keys == std::string::npos ? keys : s.find("), ", keys);
    return end == std::string::npos ? s : s.substr(0, keys) + "…" + s.substr(end + 1);
}

QString recompiles(std::int64_t n) {
    return n == 1 ? QObject::tr("1 recompile")
                  : QObject::tr("%1 recompiles").arg(num::count(static_cast<std::uint64_t>(n)));
}

QString times(std::int64_t n) {
    return n > 0 ? num::count(static_cast<std::uint64_t>(n)) : QString();
}

QString graphDetail(const CompiledGraph& g) {
    QString out =
        QObject::tr("graph %1 of %2\n%3 guards")
            .arg(text(g.id),
                 g.function.empty() ? QObject::tr("a function that is not named") : text(g.function),
                 num::count(static_cast<std::uint64_t>(g.guards)));
    if (g.rank >= 0) out += QObject::tr("\non rank %1").arg(g.rank);
    if (g.rejected > 0) out += QObject::tr("\ndid not fit at %1").arg(recompiles(g.rejected));
    if (!g.thrashing.empty()) out += QObject::tr("\nfails most: %1").arg(text(g.thrashing));
    if (g.tree.evalMicroseconds)
        out += QObject::tr("\nchecking them takes %1").arg(num::seconds(*g.tree.evalMicroseconds * 1e-6));
    if (g.tree.cut) out += QObject::tr("\nnot all of its guards are kept: there are too many");
    return out;
}

QString guardDetail(const Guard& g) {
    QString out = g.kind.empty() ? text(g.text) : text(g.kind) + QLatin1String("  ") + text(g.text);
    if (g.failures > 0) out += QObject::tr("\nfailed at %1").arg(recompiles(g.failures));
    if (!g.code.empty()) out += QLatin1Char('\n') + text(g.code);
    if (!g.place.empty()) out += QLatin1Char('\n') + text(g.place);
    if (!g.access.empty()) out += QLatin1Char('\n') + text(g.access);
    return out;
}

QString fixesOf(const Guard& g) {
    QStringList out;
    for (const std::string& fix : g.fixes) out << text(fix);
    return out.join(QLatin1Char('\n'));
}

} // namespace

void GuardTreeModel::setReport(std::shared_ptr<const LogReport> report) {
    m_report = std::move(report);
    rebuild();
}

void GuardTreeModel::setSearch(const GuardSearch& search) {
    m_search = search;
    rebuild();
}

void GuardTreeModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    m_top.clear();
    m_hits = m_guards = 0;
    if (m_report)
        for (std::size_t i = 0; i < m_report->graphs.size(); ++i) addGraph(i);
    endResetModel();
}

std::size_t GuardTreeModel::addRow(std::size_t graph, std::ptrdiff_t guard, std::ptrdiff_t parent) {
    const std::size_t row = m_rows.size();
    auto& siblings = parent < 0 ? m_top : m_rows[static_cast<std::size_t>(parent)].children;
    const int at = static_cast<int>(siblings.size());
    siblings.push_back(row);
    m_rows.push_back({graph, guard, parent, at, {}});
    return row;
}

void GuardTreeModel::addGraph(std::size_t number) {
    const GuardTree& tree = m_report->graphs[number].tree;
    const GuardHits found = searchGuards(tree, m_search);
    m_guards += tree.guards.size();
    m_hits += found.hits;
    const bool searching = !m_search.text.empty() || m_search.failing;
    if (found.hits == 0 && (searching || !tree.cut)) return;
    std::vector<std::ptrdiff_t> above{static_cast<std::ptrdiff_t>(addRow(number, -1, -1))};
    for (std::size_t i = 0; i < tree.guards.size(); ++i) {
        if (!found.shown[i]) continue;
        above.resize(static_cast<std::size_t>(tree.guards[i].depth) + 1, above.back());
        above.push_back(
            static_cast<std::ptrdiff_t>(addRow(number, static_cast<std::ptrdiff_t>(i), above.back())));
    }
}

QModelIndex GuardTreeModel::worst() const {
    const Row* best = nullptr;
    for (const Row& row : m_rows)
        if (const Guard* guard = guardOf(row))
            if (guard->failures > (best ? guardOf(*best)->failures : 0)) best = &row;
    return best ? createIndex(best->at, What, static_cast<quintptr>(best - m_rows.data())) : QModelIndex();
}

void GuardTreeModel::forEachRow(const std::function<void(const QModelIndex&, const Identity&)>& visit) const {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const CompiledGraph& g = m_report->graphs[m_rows[i].graph];
        visit(createIndex(m_rows[i].at, What, static_cast<quintptr>(i)),
              {g.rank, g.run, g.id, m_rows[i].guard});
    }
}

QModelIndex GuardTreeModel::graph(std::size_t number) const {
    for (const std::size_t row : m_top)
        if (m_rows[row].graph == number) return createIndex(m_rows[row].at, What, static_cast<quintptr>(row));
    return {};
}

const GuardTreeModel::Row* GuardTreeModel::rowOf(const QModelIndex& index) const {
    return index.isValid() ? &m_rows[index.internalId()] : nullptr;
}

const Guard* GuardTreeModel::guardOf(const Row& row) const {
    return row.guard < 0 ? nullptr
                         : &m_report->graphs[row.graph].tree.guards[static_cast<std::size_t>(row.guard)];
}

QModelIndex GuardTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    const Row* above = rowOf(parent);
    const auto& rows = above ? above->children : m_top;
    return createIndex(row, column, static_cast<quintptr>(rows[static_cast<std::size_t>(row)]));
}

QModelIndex GuardTreeModel::parent(const QModelIndex& index) const {
    const Row* row = rowOf(index);
    if (!row || row->parent < 0) return {};
    const auto at = static_cast<std::size_t>(row->parent);
    return createIndex(m_rows[at].at, What, static_cast<quintptr>(at));
}

int GuardTreeModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0) return 0;
    const Row* above = rowOf(parent);
    return static_cast<int>((above ? above->children : m_top).size());
}

int GuardTreeModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

QVariant GuardTreeModel::graphCell(const Row& row, int column, int role) const {
    const CompiledGraph& g = m_report->graphs[row.graph];
    if (role == log_tables::DetailRole) return graphDetail(g);
    if (role == Qt::FontRole && column == What) return font(FontStep::body, QFont::DemiBold);
    if (role == Qt::ForegroundRole && g.rejected > 0 && column == Failed) return color(Token::outsideFg);
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case What:
        return text(g.id) + QLatin1String("  ") + text(g.function) +
               (g.rank >= 0 ? tr(", rank %1").arg(g.rank) : QString()) +
               (g.run > 1 ? tr(", run %1").arg(g.run) : QString());
    case Failed:
        return times(g.rejected);
    case Kind:
        return tr("%1 guards").arg(num::count(static_cast<std::uint64_t>(g.guards)));
    default:
        return {};
    }
}

QVariant GuardTreeModel::guardCell(const Guard& g, int column, int role) const {
    if (role == log_tables::DetailRole) return guardDetail(g);
    if (role == log_tables::FixRole) return fixesOf(g);
    if (role == Qt::FontRole && (column == What || column == Code)) return monoFont();
    if (role == Qt::ForegroundRole && column <= Failed) {
        if (g.failures > 0) return color(Token::outsideFg);
        if (!g.check) return color(Token::text2);
    }
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case What:
        return g.text.empty() ? text(g.kind) : cell(withoutDispatchKeys(g.text));
    case Failed:
        return times(g.failures);
    case Code:
        return cell(g.code);
    case Place:
        return cell(g.place);
    default:
        return g.text.empty() ? QString() : cell(g.kind);
    }
}

QVariant GuardTreeModel::data(const QModelIndex& index, int role) const {
    const Row* row = rowOf(index);
    if (!row) return {};
    if (role == Qt::TextAlignmentRole && index.column() == Failed)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignCenter));
    const Guard* guard = guardOf(*row);
    return guard ? guardCell(*guard, index.column(), role) : graphCell(*row, index.column(), role);
}

QVariant GuardTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section == Failed)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignCenter));
    if (role == Qt::ToolTipRole && section == Failed)
        return tr("Recompiles at which the guard failed, of a graph: at which it did not fit");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case What:
        return tr("Graph, guard");
    case Failed:
        return tr("Failed");
    case Code:
        return tr("Line");
    case Place:
        return tr("Place");
    default:
        return tr("Kind");
    }
}

} // namespace divdet
