#pragma once
#include <QString>

#include "base/result.h"

namespace divdet {

class MainWindow;

/// Shows the window at `size`, waits until every job and count is done, and writes what it shows. Errors: io.
Status takeScreenshot(MainWindow& window, const QString& path, const QSize& size);

/// Runs the event loop until nothing is under way; false after `limitMs`.
bool waitUntilSettled(MainWindow& window, int limitMs);

} // namespace divdet
