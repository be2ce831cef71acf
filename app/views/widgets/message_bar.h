#pragma once
#include "gui/theme_tokens.h"
#include <QFrame>
#include <functional>
#include <vector>

namespace divdet {

enum class MessageKind { info, warning, error };

struct MessageAction {
    QString text;
    std::function<void()> run; ///< the bar closes first, then this runs; may be empty
};

/// What is so, where, and what still works; never modal, never takes the focus.
struct Message {
    MessageKind kind = MessageKind::info;
    QString head;                       ///< bold, one line
    QString text;                       ///< one line, elided
    std::vector<MessageAction> buttons; ///< at most two are shown
    MessageAction quiet;                ///< a text button, for example "Copy details"; it leaves the bar open
};

/// One bar of MessageStack: 44 px, band, icon, head, text, buttons, close.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    MessageBar(const Message& message, QWidget* parent);
    const Message& message() const { return m_message; }

signals:
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Message m_message;
};

} // namespace divdet
