#pragma once
#include <QFrame>

class QHBoxLayout;
class QVBoxLayout;

namespace divdet {

/// A card: its title (none where it is empty), what stands at the right of it, and a column below.
struct Card {
    QFrame* frame;
    QHBoxLayout* head;
    QVBoxLayout* column;
};
Card makeCard(const QString& title, QWidget* parent);

} // namespace divdet
