#pragma once
#include <QStyledItemDelegate>

namespace divdet {

/// Rows of the table of faults: shares with a bar and, where a fault passes, an icon; fixed pitch for
/// numbers.
class PowerDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace divdet
