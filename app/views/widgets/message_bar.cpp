#include "views/widgets/message_bar.h"
#include "gui/theme.h"
#include "views/widgets/buttons.h"
#include "views/widgets/icon_view.h"
#include "views/widgets/label.h"
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace divdet {
namespace {

struct Look {
    const char* icon;
    Token fg;
    Token bg;
    Token band;
};

Look lookOf(MessageKind kind) {
    switch (kind) {
    case MessageKind::error:
        return {"outside", Token::outsideFg, Token::outsideBg, Token::outsideSolid};
    case MessageKind::warning:
        return {"warn", Token::inconFg, Token::inconBg, Token::inconSolid};
    case MessageKind::info:
        break;
    }
    return {"info", Token::accent, Token::accentBg, Token::accent};
}

constexpr std::size_t shownButtons = 2;

} // namespace

MessageBar::MessageBar(const Message& message, QWidget* parent)
    : QFrame(parent)
    , m_message(message) {
    const Look look = lookOf(message.kind);
    setAccessibleName(message.head + QLatin1String(". ") + message.text);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(44);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 0, 12, 0);
    row->setSpacing(8);
    auto* mark = new IconView(QLatin1String(look.icon), look.fg, 16, this);
    row->addWidget(mark, 0, Qt::AlignVCenter);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addStretch(1);
    auto* head = new ElidedLabel(message.head, FontStep::card, Token::text1, this);
    words->addWidget(head);
    auto* text = new ElidedLabel(message.text, FontStep::body, Token::text1, this);
    text->setVisible(!message.text.isEmpty());
    words->addWidget(text);
    words->addStretch(1);
    row->addSpacing(2);
    row->addLayout(words, 1);
    for (std::size_t i = 0; i < std::min(message.buttons.size(), shownButtons); ++i) {
        const MessageAction& action = message.buttons[i];
        QPushButton* button = makeButton(action.text, ButtonKind::standard, this);
        connect(button, &QPushButton::clicked, this, [this, run = action.run] {
            emit closed();
            if (run) run();
        });
        row->addWidget(button);
    }
    if (!message.quiet.text.isEmpty()) {
        QPushButton* button = makeButton(message.quiet.text, ButtonKind::text, this);
        connect(button, &QPushButton::clicked, this, [run = message.quiet.run] {
            if (run) run();
        });
        row->addWidget(button);
    }
    QToolButton* close = makeIconButton(QStringLiteral("close"), tr("Close this message"), this,
                                        QStringLiteral("closeButton"));
    connect(close, &QToolButton::clicked, this, &MessageBar::closed);
    row->addWidget(close);
}

void MessageBar::paintEvent(QPaintEvent*) {
    const Look look = lookOf(m_message.kind);
    QPainter painter(this);
    painter.fillRect(rect(), color(look.bg));
    painter.fillRect(QRect(0, 0, 4, height()), color(look.band));
    painter.fillRect(QRect(0, height() - 1, width(), 1), color(Token::border));
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        emit closed();
    else
        QFrame::keyPressEvent(event);
}

} // namespace divdet
