#pragma once
#include <QStyledItemDelegate>

namespace divdet {

/// A row of the pass list: check, id, variant with its small arrow, swatch and needed rtol; group rows have a
/// chevron, an icon and a count. Everything is painted in the first column.
class PassDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    /// Where a click opens the menu of variants; empty when there is only one way.
    QRect variantRect(const QRect& row, const QModelIndex& index) const;

private:
    void paintGroup(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintPass(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
};

} // namespace divdet
