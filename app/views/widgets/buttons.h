#pragma once
#include "gui/theme_tokens.h"
#include <QString>

class QAbstractButton;
class QPushButton;
class QToolButton;
class QWidget;

namespace divdet {

/// One primary button per panel: the likely next step. `preset` is a small toggle, `page` a toolbar toggle
/// with an underline, `icon` a square tool button.
enum class ButtonKind { primary, standard, quiet, text, toggle, preset, page, icon };

/// Sets the look (the style sheet selects by it) and, for toggles, checkable.
void setButtonKind(QAbstractButton* button, ButtonKind kind);

/// A push button of a kind, with an icon in the colour its text has. `objectName` may be empty.
QPushButton* makeButton(const QString& text, ButtonKind kind, QWidget* parent, const QString& objectName = {},
                        const QString& iconName = {});

/// A 26 px square button without words: `what` becomes tooltip and accessible name.
QToolButton* makeIconButton(const QString& iconName, const QString& what, QWidget* parent,
                            const QString& objectName = {});

/// Icon in text.2 (on.accent on a primary button, accent on a checked toggle); follows checks and themes.
void setButtonIcon(QAbstractButton* button, const QString& iconName);

} // namespace divdet
