#include "views/widgets/chip.h"
#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/theme.h"
#include <QFontMetrics>
#include <QPainter>

namespace divdet {
namespace {

constexpr int chipHeight = 20;
constexpr int iconSize = 12;
constexpr int iconGap = 4;

QFont chipFont(const ChipLook& look) {
    return font(FontStep::caption, look.strong ? QFont::DemiBold : QFont::Medium);
}

int side(const ChipLook& look) {
    return look.filled ? 7 : 0;
}

} // namespace

ChipLook ChipLook::ofClass(ClassTone tone) {
    const ClassLook look = classLook(tone);
    return {look.word, look.icon, look.fg, look.bg};
}

ChipLook ChipLook::ofVerdict(VerdictTone tone, const QString& word) {
    const VerdictLook look = verdictLook(tone);
    return {word.isEmpty() ? look.word : word, look.icon, look.fg, look.bg, true};
}

ChipLook ChipLook::plain(const QString& text) {
    return {text, QString(), Token::text1, Token::sunken};
}

QSize chipSize(const ChipLook& look) {
    const int words = QFontMetrics(chipFont(look)).horizontalAdvance(look.text) + 1;
    return {2 * side(look) + (look.icon.isEmpty() ? 0 : iconSize + iconGap) + words, chipHeight};
}

void drawChip(QPainter& painter, const QRectF& rect, const ChipLook& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF box(rect.left(), 0, qMin<qreal>(chipSize(look).width(), rect.width()), chipHeight);
    box.moveTop(qRound(rect.center().y() - chipHeight / 2.0));
    if (look.filled) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(look.bg));
        painter.drawRoundedRect(box, 4, 4);
    }
    QRectF words = box.adjusted(side(look), 0, -side(look), 0);
    if (!look.icon.isEmpty()) {
        drawIcon(painter, look.icon, look.fg, QRectF(words.left(), box.top() + 4, iconSize, iconSize));
        words.adjust(iconSize + iconGap, 0, 0, 0);
    }
    const QFont used = chipFont(look);
    painter.setFont(used);
    painter.setPen(color(look.fg));
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(used).elidedText(look.text, Qt::ElideRight, qCeil(words.width())));
    painter.restore();
}

Chip::Chip(const ChipLook& look, QWidget* parent)
    : QAbstractButton(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setClickable(false);
    setLook(look);
}

void Chip::setLook(const ChipLook& look) {
    m_look = look;
    setText(look.text);
    setAccessibleName(look.text);
    updateGeometry();
    update();
}

void Chip::setClickable(bool clickable) {
    setFocusPolicy(clickable ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAttribute(Qt::WA_TransparentForMouseEvents, !clickable);
}

QSize Chip::minimumSizeHint() const {
    return {qMin(48, sizeHint().width()), chipHeight};
}

void Chip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawChip(painter, rect(), m_look);
    const bool hover = focusPolicy() != Qt::NoFocus && underMouse();
    if (!hasFocus() && !hover) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(hasFocus() ? Token::accent : Token::control), hasFocus() ? 2 : 1));
    const qreal inset = hasFocus() ? 1 : 0.5;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 4, 4);
}

} // namespace divdet
