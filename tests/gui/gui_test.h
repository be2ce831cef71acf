#pragma once
#include "gui/theme.h"
#include <QApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

namespace divdet {

/// Base of every Qt Test class: settings in a temporary folder, test paths, C locale, Fusion with the light
/// theme. Every class has the slot `void init() { failOnWarnings(); }`: Qt forgets the pattern after each
/// test, and a slot here would need a moc run for this header in each test program (so there is no Q_OBJECT
/// either).
class GuiTest : public QObject {
public:
    const QString& settingsFolder() const { return m_folder; }

protected:
    GuiTest()
        : m_folder(m_temporary.path()) {
        QCoreApplication::setOrganizationName(QStringLiteral("divdet-tests"));
        QCoreApplication::setApplicationName(QStringLiteral("divdet-tests"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder);
        QStandardPaths::setTestModeEnabled(true);
        QLocale::setDefault(QLocale::c());
        Theme::apply(*qApp, ThemeChoice::light);
    }

    /// Any warning fails the test, but for the one that the offscreen platform always gives.
    static void failOnWarnings() {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints).+")));
    }

private:
    QTemporaryDir m_temporary;
    QString m_folder;
};

} // namespace divdet
