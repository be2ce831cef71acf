#include "views/widgets/icon_view.h"
#include "gui/icons.h"
#include <QPainter>

namespace divdet {

IconView::IconView(const QString& name, Token token, int size, QWidget* parent)
    : QWidget(parent)
    , m_name(name)
    , m_token(token) {
    setFixedSize(size, size);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void IconView::setIcon(const QString& name, Token token) {
    m_name = name;
    m_token = token;
    update();
}

void IconView::paintEvent(QPaintEvent*) {
    if (m_name.isEmpty()) return;
    QPainter painter(this);
    drawIcon(painter, m_name, m_token, rect());
}

} // namespace divdet
