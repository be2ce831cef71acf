#include "views/widgets/card.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "views/widgets/label.h"

namespace divdet {

Card makeCard(const QString& title, QWidget* parent) {
    Card card{new QFrame(parent), new QHBoxLayout, nullptr};
    card.frame->setObjectName(QStringLiteral("card"));
    card.column = new QVBoxLayout(card.frame);
    card.column->setContentsMargins(10, 6, 8, 8);
    card.column->setSpacing(6);
    card.head->setSpacing(8);
    if (!title.isEmpty()) card.head->addWidget(new Label(title, FontStep::card, Token::text1, card.frame));
    card.column->addLayout(card.head);
    return card;
}

} // namespace divdet
