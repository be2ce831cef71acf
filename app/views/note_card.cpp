#include "views/note_card.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/theme.h"
#include "views/widgets/buttons.h"
#include "views/widgets/icon_view.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {
constexpr qreal kRadius = 6, kBand = 4;
}

NoteCard::NoteCard(QWidget* parent)
    : QFrame(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 10, 10);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    m_icon = new IconView(QStringLiteral("info"), Token::text3, 16, this);
    m_title = new Label({}, FontStep::card, Token::text1, this);
    m_title->setWordWrap(true);
    head->addWidget(m_icon, 0, Qt::AlignTop);
    head->addWidget(m_title, 1);
    column->addLayout(head);
    m_text = new Label({}, FontStep::body, Token::text2, this);
    m_text->setWordWrap(true);
    column->addWidget(m_text);
    m_evidence = new QWidget(this);
    auto* grid = new QGridLayout(m_evidence);
    grid->setContentsMargins(0, 2, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    column->addWidget(m_evidence);
    m_button = makeButton({}, ButtonKind::standard, this);
    connect(m_button, &QPushButton::clicked, this, [this] {
        // The act may refill this card, and with it m_act.
        const auto act = m_act;
        if (act) act();
    });
    column->addWidget(m_button, 0, Qt::AlignLeft);
}

void NoteCard::setNote(const Note& note) {
    setObjectName(QStringLiteral("noteCard_") + note.id);
    setAccessibleName(note.title);
    setAccessibleDescription(note.text);
    m_band = note.colour;
    m_icon->setIcon(note.icon, note.colour);
    m_title->setText(note.title);
    m_text->setText(note.text);
    m_text->setVisible(!note.text.isEmpty());
    fillEvidence(note);
    m_button->setText(note.button);
    m_button->setVisible(!note.button.isEmpty());
    m_act = note.act;
    update();
}

void NoteCard::fillEvidence(const Note& note) {
    auto* grid = static_cast<QGridLayout*>(m_evidence->layout());
    while (QLayoutItem* item = grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (const auto& [label, value] : note.evidence) {
        grid->addWidget(new ElidedLabel(label, FontStep::caption, Token::text2, m_evidence), row, 0);
        auto* number = new Label(value, FontStep::caption, Token::text1, m_evidence);
        number->setFont(monoFont(FontStep::caption));
        grid->addWidget(number, row++, 1, Qt::AlignRight);
    }
    m_evidence->setVisible(row > 0);
}

void NoteCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF outline = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath card;
    card.addRoundedRect(outline, kRadius, kRadius);
    painter.fillPath(card, color(Token::panel));
    painter.save();
    painter.setClipPath(card);
    painter.fillRect(QRectF(0, 0, kBand, height()), color(m_band));
    painter.restore();
    painter.setPen(color(Token::border));
    painter.drawPath(card);
}

} // namespace divdet
