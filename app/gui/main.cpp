#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>

#include "base/instruction_set.h"
#include "block/run_bytes.h"
#include "cuda/loader/cuda_backend.h"
#include "gui/icons.h"
#include "gui/main_window.h"
#include "gui/options.h"
#include "gui/screenshot.h"
#include "gui/theme.h"
#include "host/twin_backend.h"
#include "report/version.h"
#include "views/logs_page.h"

namespace {

using namespace divdet;

constexpr int kFailed = 2;

int complain(const Error& error) {
    std::fprintf(stderr, "divergence-detective: %s\n", error.text().c_str());
    return kFailed;
}

/// Pictures need no display: without one they are drawn offscreen.
void choosePlatform(const Options& options) {
    const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    if (!options.screenshot.isEmpty() && !display && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

std::shared_ptr<Session> makeSession() {
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(std::make_shared<host::TwinBackend>());
    backends->add(std::make_shared<cuda::CudaBackend>());
    return std::make_shared<Session>(std::move(backends));
}

Status applySettings(Document& document, const Options& options) {
    Settings settings = document.settings();
    for (const auto& [key, value] : options.settings)
        if (auto applied = applySetting(settings, key, value); !applied) return applied.error();
    if (!settings.run.device.empty())
        if (auto device = document.session().backends().find(settings.run.device); !device)
            return device.error();
    document.takeSettings(settings);
    return Done{};
}

} // namespace

int main(int argc, char** argv) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    const auto options = parseOptions(arguments);
    if (!options) return complain(options.error());
    if (options->help) return std::fputs(qPrintable(helpText()), stdout) < 0 ? kFailed : 0;
    const std::string version(divdet::version());
    if (options->version) return std::printf("divergence-detective %s\n", version.c_str()) < 0 ? kFailed : 0;

    if (const auto set = useInstructionSetOfEnvironment(); !set) return complain(set.error());
    if (const auto set = block::useMaxRunBytesOfEnvironment(); !set) return complain(set.error());
    choosePlatform(*options);
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("divergence-detective"));
    QCoreApplication::setApplicationName(QStringLiteral("divergence-detective"));
    QCoreApplication::setApplicationVersion(QString::fromStdString(version));
    QLocale::setDefault(QLocale::c());
    QApplication::setWindowIcon(appIcon());
    // A picture looks the same whatever the last window was like, and leaves no trace in its settings.
    const bool picture = !options->screenshot.isEmpty();
    const QTemporaryDir unsaved;
    if (picture) {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, unsaved.path());
    }
    const QString saved = QSettings().value(QStringLiteral("theme")).toString();
    const QString theme = !options->theme.isEmpty() ? options->theme
                          : picture                 ? QStringLiteral("light")
                                                    : saved;
    Theme::apply(app, themeChoiceFromName(theme));

    MainWindow window(makeSession());
    if (auto applied = applySettings(window.document(), *options); !applied) return complain(applied.error());
    window.document().start();
    if (picture) {
        window.takeOptions(*options);
        const Page page = window.document().page();
        // Else they are empty.
        if (page == Page::hunt || page == Page::stages || page == Page::determinism)
            window.document().rerun();
        if (page == Page::logs && options->files.isEmpty()) window.logsPage()->openSample();
        if (auto taken = takeScreenshot(window, options->screenshot, options->size); !taken)
            return complain(taken.error());
        return 0;
    }
    window.restoreLayout();
    window.takeOptions(*options);
    window.show();
    return app.exec();
}
