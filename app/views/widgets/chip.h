#pragma once
#include "gui/theme_verdict.h"
#include <QAbstractButton>

namespace divdet {

/// What a chip shows; delegates paint the same thing with drawChip.
struct ChipLook {
    QString text;
    QString icon; ///< may be empty
    Token fg = Token::text1;
    Token bg = Token::sunken;
    bool strong = false; ///< semibold 11 px capitals of a verdict, else medium 11 px
    bool filled = true;  ///< without a ground it stands in a table

    static ChipLook ofClass(ClassTone tone);
    static ChipLook ofVerdict(VerdictTone tone, const QString& word = {});
    /// A tap or a declared pass.
    static ChipLook plain(const QString& text);
};

QSize chipSize(const ChipLook& look);
/// Left-aligned in `rect`, vertically centred, 20 px high, elided when the width is short.
void drawChip(QPainter& painter, const QRectF& rect, const ChipLook& look);

/// Icon 12 px, word and colours. Clickable ones take focus and emit clicked().
class Chip : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(const ChipLook& look = {}, QWidget* parent = nullptr);

    void setLook(const ChipLook& look);
    const ChipLook& look() const { return m_look; }
    void setClickable(bool clickable);

    QSize sizeHint() const override { return chipSize(m_look); }
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ChipLook m_look;
};

} // namespace divdet
