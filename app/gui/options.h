#pragma once
#include <QList>
#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

#include "base/result.h"
#include "gui/settings.h"
#include "session/advise/advise.h"

namespace divdet {

/// What the command line asks of the workbench.
struct Options {
    QStringList files;
    QString screenshot; ///< empty: open a window
    QSize size{1440, 900};
    std::optional<Page> page; ///< none: compare when there are files, else live
    bool help = false, version = false;

    AdviseRequest advise; ///< of --set advise=…

    QString theme; ///< system, light, dark; empty: as saved
    QStringList plots;
    QString candidate; ///< file name or number from 1
    QString tap;       ///< to be selected
    QString element;   ///< index in it, to be selected once there is a result
    /// Settings in the order given, already checked for their key; see applySetting.
    QList<std::pair<QString, QString>> settings;
};

/// Arguments without the program's name. Errors: usage.
Result<Options> parseOptions(const QStringList& arguments);

/// One `--set key=value` of those that live in Settings. Errors: usage with the key and what it takes.
Status applySetting(Settings& settings, const QString& key, const QString& value);

/// One `--set advise=key=value`, with the names of `divdet advise`. Errors: usage.
Status applyAdviseSetting(AdviseRequest& request, const QString& setting);

QString helpText();

} // namespace divdet
