#include "models/sparkline_delegate.h"

#include <QPainter>
#include <algorithm>

#include "gui/theme.h"
#include "models/log_tables.h"

namespace divdet {
namespace {

constexpr int kWidth = 56, kPad = 4, kHeight = 22; ///< px

} // namespace

QSize SparklineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {QStyledItemDelegate::sizeHint(option, index).width(), kHeight};
}

void SparklineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    const QVariantList values = index.data(log_tables::ValuesRole).toList();
    if (values.size() < 2 || option.rect.width() < 2 * kWidth)
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem words = option;
    words.rect.setLeft(option.rect.left() + kWidth + kPad);
    QStyledItemDelegate::paint(painter, words, index);
    double low = values.first().toDouble(), high = low;
    for (const QVariant& v : values) low = std::min(low, v.toDouble()), high = std::max(high, v.toDouble());
    const QRectF box = QRectF(option.rect.left() + kPad, option.rect.top() + kPad, kWidth - kPad,
                              option.rect.height() - 2.0 * kPad);
    QPolygonF line;
    for (qsizetype i = 0; i < values.size(); ++i) {
        const double share = high > low ? (values[i].toDouble() - low) / (high - low) : 0.5;
        line << QPointF(box.left() +
                            box.width() * static_cast<double>(i) / static_cast<double>(values.size() - 1),
                        box.bottom() - box.height() * share);
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected)
        painter->fillRect(QRect(option.rect.topLeft(), QSize(kWidth + kPad, option.rect.height())),
                          color(Token::selection));
    painter->setPen(QPen(color(Token::accent), 1.4));
    painter->drawPolyline(line);
    painter->setBrush(color(Token::accent));
    painter->drawEllipse(line.last(), 1.8, 1.8);
    painter->restore();
}

} // namespace divdet
