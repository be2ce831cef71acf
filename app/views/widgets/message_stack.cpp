#include "views/widgets/message_stack.h"
#include "views/widgets/buttons.h"
#include "views/widgets/label.h"
#include <QAccessible>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace divdet {

MessageStack::MessageStack(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
    , m_more(new QWidget(this))
    , m_moreText(new ElidedLabel({}, FontStep::caption, Token::text2, m_more)) {
    setObjectName(QStringLiteral("messageStack"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    auto* row = new QHBoxLayout(m_more);
    row->setContentsMargins(16, 2, 12, 2);
    row->addWidget(m_moreText, 1);
    QPushButton* closeAll =
        makeButton(tr("Close all"), ButtonKind::text, m_more, QStringLiteral("closeAllMessagesButton"));
    connect(closeAll, &QPushButton::clicked, this, &MessageStack::clear);
    row->addWidget(closeAll);
    m_column->addWidget(m_more);
    arrange();
}

quint64 MessageStack::post(const Message& message) {
    const auto same = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        return entry.bar->message().kind == message.kind && entry.bar->message().head == message.head;
    });
    if (same != m_entries.end()) {
        same->bar->deleteLater();
        m_entries.erase(same);
    }
    auto* bar = new MessageBar(message, this);
    connect(bar, &MessageBar::closed, this, [this, bar] { remove(bar); });
    m_entries.insert(m_entries.begin(), {++m_lastId, bar});
    m_column->insertWidget(0, bar);
    arrange();
    QAccessibleEvent alert(bar, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    return m_lastId;
}

void MessageStack::close(quint64 id) {
    for (const Entry& entry : m_entries)
        if (entry.id == id) return remove(entry.bar);
}

void MessageStack::remove(MessageBar* bar) {
    std::erase_if(m_entries, [bar](const Entry& entry) { return entry.bar == bar; });
    bar->hide();
    bar->deleteLater(); // it may be the sender
    arrange();
}

void MessageStack::clear() {
    for (const Entry& entry : std::exchange(m_entries, {})) {
        entry.bar->hide();
        entry.bar->deleteLater();
    }
    arrange();
}

void MessageStack::arrange() {
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        m_entries[i].bar->setObjectName(QStringLiteral("messageBar_%1").arg(i + 1));
        m_entries[i].bar->setVisible(i < visibleBars);
    }
    const int hidden = count() - visibleBars;
    m_more->setVisible(hidden > 0);
    if (hidden > 0) m_moreText->setText(tr("and %1 more").arg(hidden));
    setVisible(!m_entries.empty());
    emit countChanged(count());
}

bool MessageStack::focusNewest() {
    if (m_entries.empty()) return false;
    if (QWidget* first = m_entries.front().bar->findChild<QAbstractButton*>()) {
        first->setFocus(Qt::ShortcutFocusReason);
        return true;
    }
    return false;
}

} // namespace divdet
