#include "gui/screenshot.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPixmap>
#include <QTimer>

#include "gui/main_window.h"

namespace divdet {
namespace {
constexpr int kLimit = 120'000; ///< ms; large files take their time, a hang must still end
constexpr int kLook = 10;       ///< ms between two looks
} // namespace

bool waitUntilSettled(MainWindow& window, int limitMs) {
    QElapsedTimer clock;
    clock.start();
    int quiet = 0;
    while (clock.elapsed() < limitMs) {
        QEventLoop loop;
        QTimer::singleShot(kLook, &loop, &QEventLoop::quit);
        loop.exec();
        Document& document = window.document();
        const bool busy = document.busy() || document.recounting() || window.searching() || window.reading();
        quiet = busy ? 0 : quiet + 1;
        // Between two jobs there is a moment without one; queued replots need a turn too.
        if (quiet >= 3) return true;
    }
    return false;
}

Status takeScreenshot(MainWindow& window, const QString& path, const QSize& size) {
    window.resize(size);
    window.show();
    if (!waitUntilSettled(window, kLimit))
        return Error{ErrorCode::io, "the window was still busy after two minutes", path.toStdString(),
                     "use smaller sizes"};
    if (QWidget* focus = QApplication::focusWidget()) focus->clearFocus();
    QApplication::processEvents();
    const QPixmap picture = window.grab();
    if (!picture.save(path, "PNG"))
        return Error{ErrorCode::io, "the picture cannot be written", path.toStdString(),
                     "choose a folder that exists"};
    return Done{};
}

} // namespace divdet
