#include "gui/theme.h"
#include <QFile>
#include <QPalette>
#include <QRegularExpression>

namespace divdet {

QPalette themePalette(bool dark) {
    const auto c = [dark](Token token) { return tokenColor(token, dark); };
    QPalette palette;
    const std::pair<QPalette::ColorRole, Token> roles[] = {
        {QPalette::Window, Token::panel},
        {QPalette::WindowText, Token::text1},
        {QPalette::Base, Token::panel},
        {QPalette::AlternateBase, Token::alt},
        {QPalette::Text, Token::text1},
        {QPalette::PlaceholderText, Token::text3},
        {QPalette::Button, Token::panel},
        {QPalette::ButtonText, Token::text1},
        {QPalette::BrightText, Token::onAccent},
        {QPalette::Highlight, Token::selection},
        {QPalette::HighlightedText, Token::text1},
        {QPalette::Link, Token::accent},
        {QPalette::LinkVisited, Token::accent},
        {QPalette::ToolTipBase, Token::panel},
        {QPalette::ToolTipText, Token::text1},
        {QPalette::Light, Token::alt},
        {QPalette::Midlight, Token::grid},
        {QPalette::Mid, Token::border},
        {QPalette::Dark, Token::control},
        {QPalette::Shadow, Token::border},
    };
    for (const auto& [role, token] : roles) palette.setColor(role, c(token));
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, c(Token::textDisabled));
    return palette;
}

QString themeStyleSheet(bool dark, const QString& imageFolder) {
    QFile file(QStringLiteral(":/theme/workbench.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QString source = QString::fromUtf8(file.readAll());
    static const QRegularExpression placeholder(QStringLiteral("@([a-z0-9.]+)@"));
    QString sheet;
    qsizetype at = 0;
    for (auto it = placeholder.globalMatch(source); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        sheet += QStringView(source).mid(at, match.capturedStart() - at);
        at = match.capturedEnd();
        if (match.capturedView(1) == QLatin1String("images")) {
            sheet += imageFolder;
        } else if (const auto token = tokenByName(match.capturedView(1))) {
            sheet += tokenColor(*token, dark).name();
        } else {
            qWarning("style sheet: no token named %s", qPrintable(match.captured(1)));
        }
    }
    sheet += QStringView(source).mid(at);
    return sheet;
}

} // namespace divdet
