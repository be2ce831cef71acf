#pragma once
#include "gui/theme_tokens.h"
#include <QByteArray>
#include <QIcon>
#include <QPixmap>
#include <QString>
#include <QStringList>

class QPainter;

namespace divdet {

/// A drawing of resources/icons in the colour of a token, with a disabled variant in text.disabled.
/// Sharp at every scale; cached until the theme changes. An unknown name warns once and is empty.
QIcon icon(const QString& name, Token token = Token::text2);

/// The same as a pixmap of `size` logical px for a device pixel ratio.
QPixmap iconPixmap(const QString& name, Token token, int size, qreal devicePixelRatio = 1.0);

/// Draws the icon into `rect` at the painter's own scale.
void drawIcon(QPainter& painter, const QString& name, Token token, const QRectF& rect);

/// The SVG text with the placeholder colour replaced: QtSvg 6.4 does not know currentColor.
QByteArray iconSource(const QString& name, Token token);

/// Every icon there is, sorted.
QStringList iconNames();

/// The program's own icon, in its own colours.
QIcon appIcon();

/// Called by Theme when the colours change.
void clearIconCache();

} // namespace divdet
