#include "views/pass_delegate.h"

#include <QPainter>
#include <QTreeView>

#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/theme.h"
#include "gui/theme_pass.h"
#include "models/pass_model.h"

namespace divdet {
namespace {

constexpr int kRowHeight = 23, kMargin = 12, kCheck = 14, kGap = 6;
constexpr int kNeedsWidth = 52, kSwatchWidth = 24;

QString variantOf(const QModelIndex& index) {
    return index.siblingAtColumn(PassModel::Variant).data(Qt::DisplayRole).toString();
}

void paintCheck(QPainter& painter, const QRectF& box, bool on, bool enabled, bool bug) {
    painter.setRenderHint(QPainter::Antialiasing);
    const Token fill = bug ? Token::outsideSolid : Token::accent;
    painter.setPen(QPen(color(!enabled ? Token::border : on ? fill : Token::control), 1));
    painter.setBrush(color(on ? fill : enabled ? Token::panel : Token::sunken));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (on) drawIcon(painter, QStringLiteral("check"), Token::onAccent, box.adjusted(1, 1, -1, -1));
}

int nameEnd(const QRect& row, const QModelIndex& index, QFont::Weight weight) {
    const QFontMetrics metrics(font(FontStep::body, weight));
    return row.left() + kMargin + kCheck + kGap +
           metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString());
}

} // namespace

QSize PassDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {option.rect.width(), kRowHeight};
}

QRect PassDelegate::variantRect(const QRect& row, const QModelIndex& index) const {
    if (index.data(PassModel::GroupRole).toBool() || !index.data(PassModel::FitsRole).toBool() ||
        index.data(PassModel::VariantsRole).toStringList().size() < 2)
        return {};
    const int left = nameEnd(row, index, QFont::Normal) + kGap;
    const int width = QFontMetrics(font(FontStep::caption)).horizontalAdvance(variantOf(index)) + 16;
    return {left, row.top(), width, row.height()};
}

void PassDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, color(Token::selection));
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, color(Token::alt));
    index.data(PassModel::GroupRole).toBool() ? paintGroup(painter, option, index)
                                              : paintPass(painter, option, index);
    if (option.state.testFlag(QStyle::State_HasFocus) &&
        option.state.testFlag(QStyle::State_KeyboardFocusChange)) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(color(Token::accent), 2));
        painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

void PassDelegate::paintGroup(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    const bool bug = index.data(PassModel::IdRole).toString() == QLatin1String("bug");
    const bool open = option.state.testFlag(QStyle::State_Open);
    const QRect& row = option.rect;
    const qreal y = row.center().y() - 7.5;
    drawIcon(*painter, open ? QStringLiteral("down") : QStringLiteral("right"), Token::text2,
             QRectF(row.left() + kMargin, y + 2, 12, 12));
    drawIcon(*painter, bug ? QStringLiteral("bug") : QStringLiteral("wave"),
             bug ? Token::outsideFg : Token::accent, QRectF(row.left() + kMargin + 18, y, 16, 16));
    painter->setFont(font(FontStep::body, QFont::DemiBold));
    painter->setPen(color(Token::text1));
    const QString title = index.data(Qt::DisplayRole).toString();
    const int left = row.left() + kMargin + 40;
    painter->drawText(QRect(left, row.top(), row.right() - left, row.height()), Qt::AlignVCenter, title);
    const int after = left + painter->fontMetrics().horizontalAdvance(title) + kGap;
    painter->setFont(font(FontStep::caption));
    painter->setPen(color(Token::text2));
    painter->drawText(QRect(after, row.top(), row.right() - after, row.height()), Qt::AlignVCenter,
                      variantOf(index));
}

void PassDelegate::paintPass(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    const QRect& row = option.rect;
    const bool fits = index.data(PassModel::FitsRole).toBool();
    const bool on = fits && index.data(PassModel::OnRole).toBool();
    const QString id = index.data(PassModel::IdRole).toString();
    const PassStyle style = passStyle(id, index.data(PassModel::VariantRole).toString());
    paintCheck(*painter, QRectF(row.left() + kMargin, row.center().y() - kCheck / 2 + 0.5, kCheck, kCheck),
               on, fits, style.bug);

    const QString needs = index.siblingAtColumn(PassModel::Needs).data(Qt::DisplayRole).toString();
    const int right = row.right() - 8;
    const int needsLeft = on ? right - kNeedsWidth - kSwatchWidth - kGap : right;
    painter->setFont(font(FontStep::body, on ? QFont::Medium : QFont::Normal));
    painter->setPen(color(fits ? Token::text1 : Token::textDisabled));
    const int left = row.left() + kMargin + kCheck + kGap;
    painter->drawText(QRect(left, row.top(), needsLeft - left, row.height()), Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(id, Qt::ElideRight, needsLeft - left));

    const int variantLeft = nameEnd(row, index, on ? QFont::Medium : QFont::Normal) + kGap;
    painter->setFont(font(FontStep::caption));
    painter->setPen(color(fits ? Token::text2 : Token::textDisabled));
    const bool menu = !variantRect(row, index).isNull();
    const int room = needsLeft - variantLeft - (menu ? 14 : 4);
    if (room > 12) {
        const QString text = painter->fontMetrics().elidedText(variantOf(index), Qt::ElideRight, room);
        painter->drawText(QRect(variantLeft, row.top(), room, row.height()), Qt::AlignVCenter, text);
        if (menu)
            drawIcon(*painter, QStringLiteral("down"), Token::text2,
                     QRectF(variantLeft + painter->fontMetrics().horizontalAdvance(text) + 3,
                            row.center().y() - 4, 9, 9));
    }
    if (!on) return;
    drawPassSwatch(*painter, QRectF(needsLeft, row.top(), kSwatchWidth, row.height()), style);
    painter->setFont(monoFont(FontStep::caption));
    painter->setPen(color(needs.isEmpty() ? Token::text3 : Token::text1));
    painter->drawText(QRect(right - kNeedsWidth, row.top(), kNeedsWidth, row.height()),
                      Qt::AlignVCenter | Qt::AlignRight, needs.isEmpty() ? QStringLiteral("–") : needs);
}

} // namespace divdet
