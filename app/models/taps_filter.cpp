#include "models/taps_filter.h"
#include "compare/finding.h"
#include "models/taps_model.h"
#include <QHeaderView>
#include <QTableView>
#include <cmath>

namespace divdet {

TapsFilter::TapsFilter(QObject* parent)
    : QSortFilterProxyModel(parent) {
    setSortRole(TapsModel::SortRole);
    setDynamicSortFilter(true);
    setFilterKeyColumn(-1); // another judgement changes only late columns; they must be filtered anew
}

void TapsFilter::setText(const QString& text) {
    if (text == m_text) return;
    m_text = text;
    invalidateFilter();
}

void TapsFilter::setOnlyBad(bool on) {
    if (on == m_onlyBad) return;
    m_onlyBad = on;
    invalidateFilter();
}

void TapsFilter::setUpHeader(QTableView* view) {
    view->setSortingEnabled(true);
    view->horizontalHeader()->setSortIndicatorClearable(true);
    view->sortByColumn(-1, Qt::AscendingOrder);
}

bool TapsFilter::isBad(const QModelIndex& index) {
    const QVariant key = index.data(TapsModel::ClassRole);
    return index.data(TapsModel::BadRole).toBool() ||
           (key.isValid() && static_cast<PairClass>(key.toInt()) == PairClass::bug);
}

bool TapsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QAbstractItemModel* model = sourceModel();
    if (m_onlyBad && !isBad(model->index(row, 0, parent))) return false;
    if (m_text.isEmpty()) return true;
    for (int column : {TapsModel::Tap, TapsModel::Op, TapsModel::DTypeColumn, TapsModel::VerdictColumn,
                       TapsModel::ClassColumn})
        if (model->index(row, column, parent).data().toString().contains(m_text, Qt::CaseInsensitive))
            return true;
    return false;
}

bool TapsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(sortRole()), b = right.data(sortRole());
    if (a.typeId() != QMetaType::Double || b.typeId() != QMetaType::Double)
        return QString::compare(a.toString(), b.toString(), Qt::CaseInsensitive) < 0;
    const double x = a.toDouble(), y = b.toDouble();
    // Sorting down asks with the sides exchanged, so "last" means less there.
    if (std::isnan(x) || std::isnan(y))
        return sortOrder() == Qt::AscendingOrder ? !std::isnan(x) : std::isnan(x) && !std::isnan(y);
    return x < y;
}

} // namespace divdet
