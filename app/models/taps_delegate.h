#pragma once
#include <QStyledItemDelegate>

namespace divdet {

/// Rows of a taps table: a bar behind max abs and rel. rms, icon and word for verdicts, a target before
/// judged taps, fixed pitch for what stands in a column.
class TapsDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Dumps judge every pair: the target icon would stand in each row.
    void setMarkJudged(bool on) { m_markJudged = on; }

private:
    bool m_markJudged = true;
};

} // namespace divdet
