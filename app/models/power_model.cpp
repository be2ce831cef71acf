#include "models/power_model.h"

#include "gui/number_format.h"

namespace divdet {
namespace {

constexpr double kCatches = 0.9, kMisses = 0.5; ///< as the advisor has them

QString remarkOf(const FaultPower& fault) {
    if (!fault.text.empty()) return QString::fromStdString(fault.text);
    return fault.recommended >= kCatches ? QStringLiteral("caught") : QStringLiteral("caught in some runs");
}

} // namespace

void PowerModel::setData(std::shared_ptr<const Advice> advice) {
    if (advice == m_advice) return;
    beginResetModel();
    m_advice = std::move(advice);
    endResetModel();
}

int PowerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_advice ? 0 : static_cast<int>(m_advice->power.size());
}

int PowerModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PowerModel::share(const FaultPower& fault, int column) const {
    if (column == Caught) return fault.recommended;
    if (column == ByGiven && fault.given) return *fault.given;
    return {};
}

QVariant PowerModel::state(const FaultPower& fault, int column) const {
    const QVariant caught = share(fault, column);
    if (!caught.isValid()) return {};
    const double most = fault.acts ? fault.acting : 1;
    return caught.toDouble() >= kCatches * most  ? FullyCaught
           : caught.toDouble() >= kMisses * most ? SometimesCaught
                                                 : Missed;
}

QString PowerModel::text(const FaultPower& fault, int column) const {
    switch (column) {
    case Fault:
        return QString::fromStdString(fault.fault);
    case Caught:
        return num::wholeShare(fault.recommended);
    case ByGiven:
        return fault.given ? num::wholeShare(*fault.given) : num::notApplicable();
    case Runs:
        return num::count(static_cast<std::uint64_t>(fault.runs));
    default:
        return remarkOf(fault);
    }
}

QVariant PowerModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_advice) return {};
    const FaultPower& fault = m_advice->power[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(fault, column);
    case Qt::ToolTipRole:
        return column == Fault    ? QString::fromStdString(fault.title)
               : column == Remark ? remarkOf(fault)
               : column == Runs   ? QString()
                                  : tr("%1 of %2 runs fail, so that the test finds it")
                                      .arg(text(fault, column), text(fault, Runs));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                   (column == Fault || column == Remark ? Qt::AlignLeft : Qt::AlignRight));
    case ShareRole:
        return share(fault, column);
    case StateRole:
        return state(fault, column);
    default:
        return {};
    }
}

QVariant PowerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    static const char* const kTitles[] = {"fault", "caught", "by yours", "runs", "remark"};
    static const char* const kTips[] = {
        "A bug of the table, run at these sizes", "Share of its runs that the recommended tolerance catches",
        "Share of its runs that your tolerance catches", "How many runs the shares come from",
        "Where it passes, and what helps"};
    if (section < 0 || section >= ColumnCount) return {};
    if (role == Qt::DisplayRole) return QString::fromLatin1(kTitles[section]);
    if (role == Qt::ToolTipRole) return QString::fromLatin1(kTips[section]);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                   (section == Fault || section == Remark ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

} // namespace divdet
