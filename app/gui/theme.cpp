#include "gui/theme.h"
#include "gui/fonts.h"
#include "gui/icons.h"
#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <QWidget>

namespace divdet {

Theme::Theme() = default;
Theme::~Theme() = default;

Theme& Theme::current() {
    static Theme theme;
    return theme;
}

ThemeChoice themeChoiceFromName(const QString& name) {
    if (name == QLatin1String("light")) return ThemeChoice::light;
    if (name == QLatin1String("dark")) return ThemeChoice::dark;
    return ThemeChoice::system;
}

QString themeChoiceName(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::light:
        return QStringLiteral("light");
    case ThemeChoice::dark:
        return QStringLiteral("dark");
    case ThemeChoice::system:
        break;
    }
    return QStringLiteral("system");
}

void Theme::apply(QApplication& app, ThemeChoice choice) {
    Theme& theme = current();
    theme.m_choice = choice;
    if (!theme.m_installed) {
        theme.m_installed = true;
        app.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        app.setFont(font(FontStep::body));
        app.installEventFilter(&theme);
    }
    theme.applyNow(app);
}

void Theme::applyNow(QApplication& app) {
    m_applying = true;
    if (m_choice == ThemeChoice::system) {
        app.setPalette(QPalette()); // what is left is the platform's own
        m_dark = app.palette().color(QPalette::Window).lightnessF() < 0.5f;
    } else {
        m_dark = m_choice == ThemeChoice::dark;
    }
    clearIconCache();
    app.setPalette(themePalette(m_dark));
    app.setStyleSheet(themeStyleSheet(m_dark, arrowFolder()));
    m_applying = false;
    emit changed();
}

bool Theme::eventFilter(QObject* watched, QEvent* event) {
    const bool platformChange =
        event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::ThemeChange;
    if (platformChange && watched == qApp && !m_applying && m_choice == ThemeChoice::system)
        QMetaObject::invokeMethod(
            this, [this] { applyNow(*qApp); }, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

QColor Theme::blend(Token token, Token surface, double opacity) const {
    const QColor top = color(token);
    const QColor base = color(surface);
    const auto mix = [opacity](int t, int b) { return qRound(t * opacity + b * (1.0 - opacity)); };
    return QColor(mix(top.red(), base.red()), mix(top.green(), base.green()), mix(top.blue(), base.blue()));
}

QString Theme::arrowFolder() {
    if (!m_arrows) m_arrows = std::make_unique<QTemporaryDir>();
    const QString folder = m_arrows->path() + (m_dark ? QLatin1String("/dark") : QLatin1String("/light"));
    if (QDir(folder).exists()) return folder;
    QDir().mkpath(folder);
    const std::pair<const char*, Token> images[] = {{"down", Token::text2},  {"up", Token::text2},
                                                    {"right", Token::text2}, {"check", Token::onAccent},
                                                    {"close", Token::text2}, {"minus", Token::onAccent},
                                                    {"more", Token::text2},  {"dot", Token::onAccent}};
    for (const auto& [name, token] : images) {
        QFile file(folder + QLatin1Char('/') + QLatin1String(name) + QLatin1String(".svg"));
        if (file.open(QIODevice::WriteOnly)) file.write(iconSource(QLatin1String(name), token));
    }
    return folder;
}

void setStyleProperty(QWidget* widget, const char* name, const QVariant& value) {
    if (widget->property(name) == value) return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

} // namespace divdet
