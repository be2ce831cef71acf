#include "gui/file_watch.h"

#include <QFileInfo>

#include "gui/document.h"

namespace divdet {
namespace {
constexpr int kQuietFor = 400; ///< ms
}

FileWatch::FileWatch(Document* document, QObject* parent)
    : QObject(parent)
    , m_document(document) {
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kQuietFor);
    const auto touched = [this](const QString& path) {
        m_changed.insert(path);
        m_quiet.start();
    };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, touched);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, touched);
    connect(&m_quiet, &QTimer::timeout, this, &FileWatch::offer);
    connect(&document->files(), &CompareSide::filesChanged, this, &FileWatch::follow);
}

void FileWatch::follow() {
    QStringList wanted;
    const CompareSide& files = m_document->files();
    if (!files.reference().empty()) wanted << QString::fromStdString(files.reference().string());
    for (const Candidate& candidate : files.candidates())
        wanted << QString::fromStdString(candidate.path.string());
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    for (const QString& path : watched)
        if (!wanted.contains(path)) m_watcher.removePath(path);
    for (const QString& path : wanted)
        if (!watched.contains(path) && QFileInfo::exists(path)) m_watcher.addPath(path);
    emit countChanged();
}

void FileWatch::offer() {
    for (const QString& path : std::exchange(m_changed, {})) {
        const QString name = QFileInfo(path).fileName();
        Message message;
        message.kind = MessageKind::warning;
        if (!QFileInfo::exists(path)) {
            message.head = tr("%1 is gone").arg(name);
            message.text = tr("The verdicts below belong to the version you opened.");
        } else {
            message.head = tr("%1 changed on disk").arg(name);
            message.text = tr("The verdicts below belong to the version you opened.");
            message.buttons.push_back(
                {tr("Reload"), [this, path] { m_document->files().reload(path.toStdString()); }});
        }
        message.buttons.push_back({tr("Ignore"), {}});
        m_document->post(message);
    }
    follow(); // a file that was replaced is another file to the watcher
}

} // namespace divdet
