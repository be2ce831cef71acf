#pragma once
#include "gui/theme_tokens.h"
#include <QObject>
#include <QString>
#include <memory>

class QApplication;
class QPalette;
class QTemporaryDir;
class QWidget;

namespace divdet {

enum class ThemeChoice { system, light, dark };

/// "system", "light", "dark": as settings and `--set theme=` write it; unknown text is system.
ThemeChoice themeChoiceFromName(const QString& name);
QString themeChoiceName(ThemeChoice choice);

/// The applied theme. GUI thread only. Before the first apply() it answers with the light column.
class Theme : public QObject {
    Q_OBJECT
public:
    static Theme& current();

    /// Sets Fusion, the UI font, the palette and the one style sheet; may be called again at any time.
    /// With `system` the lightness of the platform palette's window colour decides, now and whenever the
    /// platform changes it (Qt 6.4 has no colour-scheme hint).
    static void apply(QApplication& app, ThemeChoice choice);

    bool dark() const { return m_dark; }
    ThemeChoice choice() const { return m_choice; }
    QColor color(Token token) const { return tokenColor(token, m_dark); }

    /// `token` over `surface` at an opacity of 0 … 1, as an opaque colour.
    QColor blend(Token token, Token surface, double opacity) const;

signals:
    /// After palette and style sheet are in place. Painted widgets repaint by themselves; what caches a
    /// colour or a pixmap (plots, labels with an own palette) takes it anew here.
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Theme();
    ~Theme() override;
    void applyNow(QApplication& app);
    QString arrowFolder();

    ThemeChoice m_choice = ThemeChoice::light;
    bool m_dark = false;
    bool m_applying = false;
    bool m_installed = false;
    std::unique_ptr<QTemporaryDir> m_arrows;
};

inline QColor color(Token token) {
    return Theme::current().color(token);
}

/// The palette of one column, for all three colour groups.
QPalette themePalette(bool dark);

/// The style sheet of one column: the template in resources with @token@ replaced; `imageFolder` holds the
/// tinted arrows (a style sheet cannot tint an image).
QString themeStyleSheet(bool dark, const QString& imageFolder);

/// Sets a dynamic property that the style sheet selects by, and polishes the widget again.
void setStyleProperty(QWidget* widget, const char* name, const QVariant& value);

} // namespace divdet
