#include "views/widgets/buttons.h"
#include "gui/icons.h"
#include "gui/theme.h"
#include <QPushButton>
#include <QToolButton>

namespace divdet {
namespace {

const char* kindName(ButtonKind kind) {
    switch (kind) {
    case ButtonKind::primary:
        return "primary";
    case ButtonKind::quiet:
        return "quiet";
    case ButtonKind::text:
        return "text";
    case ButtonKind::toggle:
        return "toggle";
    case ButtonKind::preset:
        return "preset";
    case ButtonKind::page:
        return "page";
    case ButtonKind::icon:
        return "icon";
    case ButtonKind::standard:
        break;
    }
    return "standard";
}

Token iconToken(const QAbstractButton* button) {
    const QVariant kind = button->property("kind");
    if (kind == QLatin1String("primary")) return Token::onAccent;
    if (kind == QLatin1String("text") || button->isChecked()) return Token::accent;
    return Token::text2;
}

} // namespace

void setButtonKind(QAbstractButton* button, ButtonKind kind) {
    if (kind == ButtonKind::toggle || kind == ButtonKind::preset || kind == ButtonKind::page)
        button->setCheckable(true);
    setStyleProperty(button, "kind", QLatin1String(kindName(kind)));
}

void setButtonIcon(QAbstractButton* button, const QString& iconName) {
    button->setIconSize(QSize(16, 16));
    const auto update = [button, iconName] { button->setIcon(icon(iconName, iconToken(button))); };
    if (!button->property("iconName").isValid() && button->isCheckable())
        QObject::connect(button, &QAbstractButton::toggled, button,
                         [button] { setButtonIcon(button, button->property("iconName").toString()); });
    button->setProperty("iconName", iconName);
    update();
}

QPushButton* makeButton(const QString& text, ButtonKind kind, QWidget* parent, const QString& objectName,
                        const QString& iconName) {
    auto* button = new QPushButton(text, parent);
    button->setAutoDefault(false);
    button->setObjectName(objectName);
    setButtonKind(button, kind);
    if (!iconName.isEmpty()) setButtonIcon(button, iconName);
    return button;
}

QToolButton* makeIconButton(const QString& iconName, const QString& what, QWidget* parent,
                            const QString& objectName) {
    auto* button = new QToolButton(parent);
    button->setObjectName(objectName);
    button->setToolTip(what);
    button->setAccessibleName(what);
    button->setFocusPolicy(Qt::StrongFocus);
    setButtonKind(button, ButtonKind::icon);
    setButtonIcon(button, iconName);
    button->setFixedSize(26, 26);
    return button;
}

} // namespace divdet
