#include "models/power_delegate.h"

#include <QPainter>

#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/theme.h"
#include "models/power_model.h"

namespace divdet {
namespace {

constexpr int kPad = 8, kIcon = 12;

struct Look {
    const char* icon;
    Token fg, solid;
};
Look lookOf(int state) {
    if (state == PowerModel::FullyCaught) return {"within", Token::withinFg, Token::withinSolid};
    if (state == PowerModel::Missed) return {"incon", Token::inconFg, Token::inconSolid};
    return {"unclear", Token::text2, Token::control};
}

void paintShare(QPainter& p, const QRect& cell, const QRectF& box, const QModelIndex& index) {
    const double share = index.data(PowerModel::ShareRole).toDouble();
    const Look look = lookOf(index.data(PowerModel::StateRole).toInt());
    const QRectF track = QRectF(cell).adjusted(4, 3, -4, -3);
    QColor fill = color(look.solid);
    fill.setAlphaF(0.28f);
    p.setPen(Qt::NoPen);
    p.setBrush(fill);
    p.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(3.0, track.width() * share), track.height())),
                      2, 2);
    drawIcon(p, QString::fromLatin1(look.icon), look.fg,
             QRectF(box.left(), box.center().y() - kIcon / 2.0, kIcon, kIcon));
    p.setFont(monoFont());
    p.setPen(color(Token::text1));
    p.drawText(box.adjusted(kIcon + 4, 0, 0, 0), Qt::AlignVCenter | Qt::AlignRight, index.data().toString());
}

} // namespace

QSize PowerDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {QStyledItemDelegate::sizeHint(option, index).width(), 24};
}

void PowerDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    QPainter& p = *painter;
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected)
        p.fillRect(option.rect, color(Token::selection));
    else if (option.features & QStyleOptionViewItem::Alternate)
        p.fillRect(option.rect, color(Token::alt));
    const QRectF box = QRectF(option.rect).adjusted(kPad, 0, -kPad, 0);
    const QString words = index.data().toString();
    if (index.data(PowerModel::ShareRole).isValid()) {
        paintShare(p, option.rect, box, index);
    } else {
        const bool remark = index.column() == PowerModel::Remark;
        p.setFont(remark ? font(FontStep::body) : monoFont());
        p.setPen(color(remark ? Token::text2 : Token::text1));
        p.drawText(box, static_cast<int>(index.data(Qt::TextAlignmentRole).value<Qt::Alignment>()),
                   p.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(box.width()) + 1));
    }
    if (option.state & QStyle::State_HasFocus) {
        p.setRenderHint(QPainter::Antialiasing, false);
        p.setPen(QPen(color(Token::accent), 1));
        p.setBrush(Qt::NoBrush);
        p.drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    p.restore();
}

} // namespace divdet
