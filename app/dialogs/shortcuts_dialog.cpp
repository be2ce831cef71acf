#include "dialogs/shortcuts_dialog.h"

#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/theme.h"

namespace divdet {
namespace {

constexpr const char* kGroup = "shortcutGroup";
constexpr const char* kText = "shortcutText";

QString plainText(const QAction* action) {
    const QString own = action->property(kText).toString();
    if (!own.isEmpty()) return own;
    QString text = action->text();
    text.remove(QLatin1Char('&'));
    if (text.endsWith(QChar(0x2026))) text.chop(1);
    return text;
}

QString keysOf(const QAction* action) {
    QStringList keys;
    for (const QKeySequence& sequence : action->shortcuts())
        keys << sequence.toString(QKeySequence::PortableText);
    return keys.join(QStringLiteral(", "));
}

QFrame* hairline(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setObjectName(QStringLiteral("hairline"));
    return line;
}

/// Keys in a small frame, as on a keyboard.
class KeyCap : public QWidget {
public:
    KeyCap(const QString& keys, QWidget* parent)
        : QWidget(parent)
        , m_keys(keys) {
        setFont(monoFont(FontStep::caption));
        setFixedSize(fontMetrics().horizontalAdvance(keys) + 12, 20);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(color(Token::border));
        painter.setBrush(color(Token::panel));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setPen(color(Token::text1));
        painter.drawText(rect(), Qt::AlignCenter, m_keys);
    }

private:
    QString m_keys;
};

} // namespace

void setShortcutGroup(QAction* action, const QString& group) {
    action->setProperty(kGroup, group);
}
void setShortcutText(QAction* action, const QString& text) {
    action->setProperty(kText, text);
}

ShortcutsDialog::ShortcutsDialog(QWidget* root)
    : QDialog(root) {
    setObjectName(QStringLiteral("shortcutsDialog"));
    setWindowTitle(QStringLiteral("Keyboard shortcuts"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(860, 610);
    collect(root);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    auto* head = new QHBoxLayout;
    auto* title = new QLabel(windowTitle(), this);
    title->setFont(divdet::font(FontStep::title));
    m_search = new QLineEdit(this);
    m_search->setObjectName(QStringLiteral("shortcutSearch"));
    m_search->setPlaceholderText(QStringLiteral("Search shortcuts"));
    m_search->setAccessibleName(QStringLiteral("Search shortcuts"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(200);
    head->addWidget(title, 1);
    head->addWidget(m_search);
    layout->addLayout(head);
    layout->addWidget(hairline(this));

    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(makeColumns());
    scroll->widget()->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    layout->addWidget(scroll, 1);
    layout->addWidget(hairline(this));

    auto* foot = new QHBoxLayout;
    foot->addWidget(new QLabel(QStringLiteral("Single letters work while a table or a plot has the focus. "
                                              "Tab reaches every control."),
                               this),
                    1);
    auto* close = new QPushButton(QStringLiteral("Close"), this);
    setStyleProperty(close, "kind", QStringLiteral("primary"));
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    foot->addWidget(close);
    layout->addLayout(foot);
    connect(m_search, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
    m_search->setFocus();
}

void ShortcutsDialog::collect(QWidget* root) {
    const QStringList order = {QStringLiteral("Files"), QStringLiteral("Run"), QStringLiteral("Tolerance"),
                               QStringLiteral("Taps and elements"), QStringLiteral("View")};
    for (const QString& title : order) m_groups.append({title, nullptr, {}});
    for (const QAction* action : root->findChildren<QAction*>()) {
        const QString group = action->property(kGroup).toString();
        const auto at = order.indexOf(group);
        if (at < 0 || action->shortcuts().isEmpty()) continue;
        m_groups[at].rows.append({plainText(action), keysOf(action), nullptr});
    }
}

QWidget* ShortcutsDialog::makeColumns() {
    auto* content = new QWidget(this);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 8, 0);
    columns->setSpacing(32);
    QVBoxLayout* column[2];
    for (QVBoxLayout*& c : column) {
        c = new QVBoxLayout;
        c->setSpacing(2);
        columns->addLayout(c, 1);
    }
    int index = 0;
    for (Group& group : m_groups) {
        QVBoxLayout* target = column[index++ < 3 ? 0 : 1];
        group.head = new QLabel(group.title, content);
        group.head->setFont(divdet::font(FontStep::body, QFont::DemiBold));
        group.head->setForegroundRole(QPalette::Link);
        group.head->setContentsMargins(0, 8, 0, 2);
        target->addWidget(group.head);
        for (Row& row : group.rows) {
            row.widget = new QWidget(content);
            auto* line = new QHBoxLayout(row.widget);
            line->setContentsMargins(0, 1, 0, 1);
            line->addWidget(new QLabel(row.text, row.widget), 1);
            line->addWidget(new KeyCap(row.keys, row.widget));
            target->addWidget(row.widget);
        }
    }
    m_none = new QLabel(QStringLiteral("No shortcut with these words."), content);
    m_none->hide();
    column[0]->addWidget(m_none);
    for (QVBoxLayout* c : column) c->addStretch(1);
    return content;
}

void ShortcutsDialog::filter(const QString& text) {
    bool any = false;
    for (const Group& group : m_groups) {
        bool inGroup = false;
        for (const Row& row : group.rows) {
            const bool match =
                row.text.contains(text, Qt::CaseInsensitive) || row.keys.contains(text, Qt::CaseInsensitive);
            row.widget->setVisible(match);
            inGroup = inGroup || match;
        }
        group.head->setVisible(inGroup);
        any = any || inGroup;
    }
    m_none->setVisible(!any);
}

QStringList ShortcutsDialog::lines() const {
    QStringList out;
    for (const Group& group : m_groups)
        for (const Row& row : group.rows)
            if (!row.widget->isHidden()) out << row.text + QLatin1Char('\t') + row.keys;
    return out;
}

} // namespace divdet
