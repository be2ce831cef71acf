#include "models/pass_model.h"
#include "gui/number_format.h"
#include "plots/pass_text.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace divdet {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Rows of a group carry its number + 1; group rows carry 0.
constexpr quintptr kGroupRow = 0;

QString q(const std::string& s) {
    return QString::fromStdString(s);
}

QStringList list(const std::vector<std::string>& items) {
    QStringList out;
    for (const std::string& s : items) out << q(s);
    return out;
}

} // namespace

PassModel::PassModel(QObject* parent)
    : QAbstractItemModel(parent) {
    m_groups = {{QStringLiteral("drift"), tr("Drift"), {}}, {QStringLiteral("bug"), tr("Bugs"), {}}};
}

void PassModel::setPasses(std::vector<lower::PassInfo> passes, const QMap<QString, QString>& whyNot) {
    const std::vector<lower::PassChoice> on = choices();
    beginResetModel();
    for (Group& g : m_groups) g.rows.clear();
    for (lower::PassInfo& info : passes) {
        Row row{info,
                whyNot.value(q(info.id)),
                false,
                {info.id, info.variants.empty() ? "" : info.variants.front(), {}},
                kNaN};
        const auto chosen =
            std::find_if(on.begin(), on.end(), [&](const auto& c) { return c.id == info.id; });
        if (chosen != on.end()) row.on = true, row.choice = *chosen;
        m_groups[info.kind == lower::PassKind::bug ? 1 : 0].rows.push_back(std::move(row));
    }
    endResetModel();
    findNeeds();
}

void PassModel::setChoices(const std::vector<lower::PassChoice>& choices) {
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        bool changed = false;
        for (Row& row : m_groups[g].rows) {
            const auto chosen = std::find_if(choices.begin(), choices.end(),
                                             [&](const auto& c) { return c.id == row.info.id; });
            const bool on = chosen != choices.end();
            changed = changed || on != row.on || (on && !(row.choice == *chosen));
            row.on = on;
            if (on) row.choice = *chosen;
        }
        if (!changed) continue;
        const QModelIndex group = index(static_cast<int>(g), 0);
        emit dataChanged(group, group.siblingAtColumn(ColumnCount - 1));
        emit dataChanged(index(0, 0, group), index(rowCount(group) - 1, ColumnCount - 1, group));
    }
    findNeeds();
}

void PassModel::setLive(std::shared_ptr<const LiveResult> live) {
    m_live = std::move(live);
    findNeeds();
}

void PassModel::setTolerance(const Tolerance& tolerance) {
    const bool same = tolerance.rule == m_tolerance.rule && tolerance.equalNan == m_tolerance.equalNan;
    m_tolerance = tolerance;
    if (!same) findNeeds();
}

void PassModel::findNeeds() {
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        for (std::size_t r = 0; r < m_groups[g].rows.size(); ++r) {
            Row& row = m_groups[g].rows[r];
            double needs = kNaN;
            // A landmark has run too, but a number beside a pass that is off would read as if it were on.
            if (m_live && row.on)
                for (const PassAlone& alone : m_live->alone)
                    if (alone.enabled && alone.comparison && alone.choice == row.choice)
                        needs = neededRtolLinked(*alone.comparison, m_tolerance);
            if (needs == row.needs || (std::isnan(needs) && std::isnan(row.needs))) continue;
            row.needs = needs;
            const QModelIndex at = index(static_cast<int>(r), Needs, index(static_cast<int>(g), 0));
            emit dataChanged(at, at);
        }
}

std::vector<lower::PassChoice> PassModel::choices() const {
    std::vector<lower::PassChoice> out;
    for (const Group& g : m_groups)
        for (const Row& row : g.rows)
            if (row.on) out.push_back(row.choice);
    return out;
}

QModelIndex PassModel::indexOf(const QString& id) const {
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        for (std::size_t r = 0; r < m_groups[g].rows.size(); ++r)
            if (q(m_groups[g].rows[r].info.id) == id)
                return index(static_cast<int>(r), 0, index(static_cast<int>(g), 0));
    return {};
}

QModelIndex PassModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kGroupRow);
}

QModelIndex PassModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kGroupRow) return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, kGroupRow);
}

int PassModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(m_groups.size());
    if (parent.internalId() != kGroupRow || parent.column() != 0) return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].rows.size());
}

const PassModel::Row* PassModel::rowOf(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kGroupRow) return nullptr;
    return &m_groups[index.internalId() - 1].rows[static_cast<std::size_t>(index.row())];
}

QVariant PassModel::groupData(const Group& group, int column, int role) const {
    const auto on = std::count_if(group.rows.begin(), group.rows.end(), [](const Row& r) { return r.on; });
    switch (role) {
    case Qt::DisplayRole:
        if (column == Name) return group.title;
        return column == Variant ? tr("%1 of %2 on").arg(on).arg(group.rows.size()) : QVariant();
    case Qt::AccessibleTextRole:
        return tr("%1, %2 of %3 on").arg(group.title).arg(on).arg(group.rows.size());
    case IdRole:
        return group.id;
    case GroupRole:
        return true;
    case OnCountRole:
        return static_cast<int>(on);
    default:
        return {};
    }
}

QVariant PassModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row* row = rowOf(index);
    if (!row) return groupData(m_groups[static_cast<std::size_t>(index.row())], index.column(), role);
    const QString id = q(row->info.id);
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Name) return id;
        if (index.column() == Variant)
            return row->whyNot.isEmpty() ? variantText(q(row->choice.variant)) : row->whyNot;
        return std::isnan(row->needs) ? QVariant() : QVariant(num::neededTolerance(row->needs));
    case Qt::CheckStateRole:
        if (index.column() != Name) return {};
        return QVariant::fromValue(row->on ? Qt::Checked : Qt::Unchecked);
    case Qt::ToolTipRole:
        return row->whyNot.isEmpty() ? tr("%1: %2.").arg(q(row->info.title), q(row->info.text))
                                     : tr("%1: %2").arg(id, row->whyNot);
    case Qt::AccessibleTextRole:
        return row->whyNot.isEmpty() ? id : tr("%1, %2").arg(id, row->whyNot);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (index.column() == Needs ? Qt::AlignRight : Qt::AlignLeft)));
    case IdRole:
        return id;
    case GroupRole:
        return false;
    case VariantRole:
        return q(row->choice.variant);
    case VariantsRole:
        return list(row->info.variants);
    case FitsRole:
        return row->whyNot.isEmpty();
    case WhyNotRole:
        return row->whyNot;
    case OnRole:
        return row->on;
    case NeedsRtolRole:
        return row->needs;
    case OpsRole:
        return list(row->choice.ops);
    default:
        return {};
    }
}

bool PassModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !rowOf(index)) return false;
    Row& row = m_groups[index.internalId() - 1].rows[static_cast<std::size_t>(index.row())];
    if (!row.whyNot.isEmpty()) return false;
    const QModelIndex first = index.siblingAtColumn(0), last = index.siblingAtColumn(ColumnCount - 1);
    const QString id = q(row.info.id);
    if (role == Qt::CheckStateRole && index.column() == Name) {
        const bool on = value.value<Qt::CheckState>() == Qt::Checked;
        if (on == row.on) return true;
        row.on = on;
        row.needs = kNaN; // that of the last run does not hold for the next
        emit dataChanged(first, last);
        emit dataChanged(index.parent(), index.parent().siblingAtColumn(ColumnCount - 1));
        emit passToggled(id, on);
        return true;
    }
    if (role == VariantRole) {
        const std::string variant = value.toString().toStdString();
        if (variant == row.choice.variant) return true;
        row.choice.variant = variant;
        row.needs = kNaN;
        emit dataChanged(first, last);
        emit variantChosen(id, value.toString());
        return true;
    }
    return false;
}

Qt::ItemFlags PassModel::flags(const QModelIndex& index) const {
    const Row* row = rowOf(index);
    if (!row) return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
    if (!row->whyNot.isEmpty()) return Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.column() == Name) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

} // namespace divdet
