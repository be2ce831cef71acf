#include "views/widgets/flow_layout.h"
#include <QWidget>

namespace divdet {

FlowLayout::FlowLayout(QWidget* parent, int horizontalGap, int verticalGap)
    : QLayout(parent)
    , m_horizontalGap(horizontalGap)
    , m_verticalGap(verticalGap) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
    qDeleteAll(m_items);
}

void FlowLayout::addItem(QLayoutItem* item) {
    m_items.append(item);
}

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QSize FlowLayout::sizeHint() const {
    int width = 0;
    int height = 0;
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        width += item->sizeHint().width() + (width ? m_horizontalGap : 0);
        height = qMax(height, item->sizeHint().height());
    }
    const QMargins m = contentsMargins();
    return {width + m.left() + m.right(), height + m.top() + m.bottom()};
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    const QMargins m = contentsMargins();
    return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool apply) const {
    const QRect area = rect.marginsRemoved(contentsMargins());
    QList<std::pair<QLayoutItem*, QRect>> row;
    int x = area.left();
    int y = area.top();
    int rowHeight = 0;
    const auto endRow = [&] {
        for (auto& [item, geometry] : row) {
            geometry.moveTop(y + (rowHeight - geometry.height()) / 2);
            if (apply) item->setGeometry(geometry);
        }
        row.clear();
    };
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        const QSize size = item->sizeHint().boundedTo(QSize(qMax(area.width(), 1), QLAYOUTSIZE_MAX));
        if (x > area.left() && x + size.width() > area.left() + area.width()) {
            endRow();
            x = area.left();
            y += rowHeight + m_verticalGap;
            rowHeight = 0;
        }
        row.append({item, QRect(QPoint(x, y), size)});
        x += size.width() + m_horizontalGap;
        rowHeight = qMax(rowHeight, size.height());
    }
    endRow();
    const QMargins m = contentsMargins();
    return y + rowHeight - area.top() + m.top() + m.bottom();
}

} // namespace divdet
