#include "models/taps_delegate.h"
#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "models/class_look.h"
#include "models/taps_model.h"
#include "models/verdict_look.h"
#include <QPainter>

namespace divdet {
namespace {

constexpr int kPad = 8; // px at both sides of a cell

void paintGround(QPainter& p, const QStyleOptionViewItem& option) {
    const bool alternate = option.features & QStyleOptionViewItem::Alternate;
    if (option.state & QStyle::State_Selected)
        p.fillRect(option.rect, color(Token::selection));
    else if (alternate)
        p.fillRect(option.rect, color(Token::alt));
}

void paintVerdict(QPainter& p, const QRectF& box, const QModelIndex& index) {
    const QVariant tone = index.data(TapsModel::ToneRole);
    const QString word = index.data().toString();
    if (!tone.isValid()) {
        const bool over = index.data(TapsModel::BadRole).toBool();
        p.setFont(font(FontStep::body));
        p.setPen(color(over ? Token::text1 : Token::text3));
        p.drawText(box, Qt::AlignVCenter, word);
        return;
    }
    const VerdictLook look = lookOf(static_cast<Verdict>(tone.toInt()));
    drawIcon(p, look.icon, look.fg, QRectF(box.left(), box.center().y() - 6, 12, 12));
    p.setFont(font(FontStep::caption, QFont::DemiBold));
    p.setPen(color(look.fg));
    const QRectF room = box.adjusted(17, 0, 0, 0);
    p.drawText(room, Qt::AlignVCenter,
               p.fontMetrics().elidedText(word, Qt::ElideRight, static_cast<int>(room.width())));
}

void paintClass(QPainter& p, const QRectF& box, const QModelIndex& index) {
    const QVariant key = index.data(TapsModel::ClassRole);
    if (!key.isValid()) {
        p.setFont(font(FontStep::body));
        p.setPen(color(Token::text3));
        p.drawText(box, Qt::AlignVCenter, index.data().toString());
        return;
    }
    const auto which = static_cast<PairClass>(key.toInt());
    const ClassLook look = lookOf(which);
    drawIcon(p, look.icon, look.fg, QRectF(box.left(), box.center().y() - 6, 12, 12));
    p.setFont(font(FontStep::body, which == PairClass::bug ? QFont::DemiBold : QFont::Normal));
    p.setPen(color(look.fg));
    const QRectF room = box.adjusted(17, 0, 0, 0);
    p.drawText(room, Qt::AlignVCenter,
               p.fontMetrics().elidedText(look.word, Qt::ElideRight, static_cast<int>(room.width())));
}

Token inkOf(const QModelIndex& index) {
    const QString text = index.data().toString();
    switch (index.column()) {
    case TapsModel::Number:
    case TapsModel::Op:
    case TapsModel::DTypeColumn:
    case TapsModel::ShapeColumn:
        return Token::text2;
    case TapsModel::MaxAbs:
    case TapsModel::MaxRel:
        if (text == QLatin1String("inf") || text == QLatin1String("nan")) return Token::outsideFg;
        break;
    case TapsModel::ZRms:
        if (index.data(TapsModel::SortRole).toDouble() > kZHigh) return Token::outsideFg;
        break;
    case TapsModel::Bound:
        if (index.data(TapsModel::SortRole).toDouble() > 1) return Token::outsideFg;
        break;
    case TapsModel::NeedsRtol:
        if (qIsInf(index.data(TapsModel::SortRole).toDouble())) return Token::outsideFg;
        break;
    default:
        break;
    }
    return text == QLatin1String("0") || text == num::notApplicable() ? Token::text3 : Token::text1;
}

} // namespace

QSize TapsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {QStyledItemDelegate::sizeHint(option, index).width(), 24};
}

void TapsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    QPainter& p = *painter;
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    paintGround(p, option);
    QRectF box = QRectF(option.rect).adjusted(kPad, 0, -kPad, 0);
    const int column = index.column();
    if (const QVariant bar = index.data(TapsModel::BarRole); bar.isValid()) {
        const QRectF track = QRectF(option.rect).adjusted(4, 3, -4, -3);
        QColor fill = color(index.data(TapsModel::BadRole).toBool() ? Token::outsideSolid : Token::accent);
        fill.setAlphaF(0.28f);
        p.setPen(Qt::NoPen);
        p.setBrush(fill);
        p.drawRoundedRect(
            QRectF(track.topLeft(), QSizeF(std::max(3.0, track.width() * bar.toDouble()), track.height())), 2,
            2);
    }
    if (column == TapsModel::VerdictColumn) {
        paintVerdict(p, box, index);
    } else if (column == TapsModel::ClassColumn) {
        paintClass(p, box, index);
    } else {
        const bool tap = column == TapsModel::Tap, judged = index.data(TapsModel::JudgedRole).toBool();
        const bool mono = column != TapsModel::Op;
        if (tap && judged && m_markJudged) {
            drawIcon(p, QStringLiteral("target"), Token::text1,
                     QRectF(box.left(), box.center().y() - 6, 12, 12));
            box.setLeft(box.left() + 17);
        } else if (tap && index.data(TapsModel::PendingRole).toBool()) {
            drawIcon(p, QStringLiteral("clock"), Token::text3,
                     QRectF(box.left(), box.center().y() - 6, 12, 12));
            box.setLeft(box.left() + 17);
        }
        if (tap && index.data(TapsModel::FirstFaultRole).toBool()) {
            drawIcon(p, QStringLiteral("flag"), Token::outsideFg,
                     QRectF(box.left(), box.center().y() - 6, 12, 12));
            box.setLeft(box.left() + 17);
        }
        QFont f = mono ? monoFont() : font(FontStep::body);
        if (tap && judged && m_markJudged) f.setWeight(QFont::DemiBold);
        p.setFont(f);
        p.setPen(color(inkOf(index)));
        const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
        const QString text =
            p.fontMetrics().elidedText(index.data().toString(), tap ? Qt::ElideMiddle : Qt::ElideRight,
                                       static_cast<int>(box.width()) + 1);
        p.drawText(box, static_cast<int>(alignment), text);
        if (tap && judged && m_markJudged) {
            box.setLeft(box.left() + p.fontMetrics().horizontalAdvance(text) + 8);
            p.setFont(font(FontStep::caption));
            p.setPen(color(Token::text3));
            if (p.fontMetrics().horizontalAdvance(tr("judged")) <= box.width())
                p.drawText(box, Qt::AlignVCenter, tr("judged"));
        }
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
