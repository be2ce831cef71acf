#pragma once
#include <QStyledItemDelegate>

namespace divdet {

/// A cell with values that were seen one after the other (log_tables::ValuesRole): a small line of them
/// before the words.
class SparklineDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace divdet
