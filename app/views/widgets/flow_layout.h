#pragma once
#include <QLayout>
#include <QList>

namespace divdet {

/// Left to right, then the next row. Rows are as high as their highest item; hidden items take no room.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr, int horizontalGap = 8, int verticalGap = 4);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Walks the items; sets their geometry when `apply`. Returns the height used, margins included.
    int place(const QRect& rect, bool apply) const;
    QList<QLayoutItem*> m_items;
    int m_horizontalGap;
    int m_verticalGap;
};

} // namespace divdet
