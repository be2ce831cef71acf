#include "gui/logs_side.h"

#include <QDir>
#include <QFileInfo>

namespace divdet {
namespace {

constexpr int kQuiet = 250; ///< ms: a log that is being written changes many times a second

std::vector<std::filesystem::path> toPaths(const QStringList& names) {
    std::vector<std::filesystem::path> out;
    for (const QString& name : names) out.emplace_back(name.toStdString());
    return out;
}

/// With the files of folders: a folder itself does not change while they grow.
QStringList watched(const QStringList& paths) {
    QStringList out = paths;
    for (const QString& path : paths)
        if (QFileInfo(path).isDir())
            for (const QFileInfo& file : QDir(path).entryInfoList(QDir::Files)) out << file.filePath();
    return out;
}

} // namespace

LogsSide::LogsSide(QObject* parent)
    : QObject(parent)
    , m_job(this, [this](Outcome outcome) { finish(std::move(outcome)); }) {
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kQuiet);
    connect(&m_quiet, &QTimer::timeout, this, &LogsSide::reread);
    // A log that is never quiet is read all the same, so many times a second.
    const auto changed = [this] {
        if (!m_quiet.isActive()) m_quiet.start();
    };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, changed);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, changed);
    connect(&m_job, &LatestJobBase::runningChanged, this, &LogsSide::runningChanged);
    connect(&m_job, &LatestJobBase::progressed, this, &LogsSide::progressed);
    connect(&m_job, &LatestJobBase::failed, this, [this](const QString& message) {
        finish(Error{ErrorCode::internal, message.toStdString(), {}, {}});
    });
}

void LogsSide::open(const QStringList& paths) {
    if (paths.isEmpty()) return;
    m_paths = paths;
    m_text.clear();
    watch();
    readNew();
}

void LogsSide::paste(const QString& text) {
    if (text.isEmpty()) return;
    m_paths.clear();
    m_text = text;
    watch();
    readNew();
}

void LogsSide::setBefore(const QString& path) {
    if (path == m_before) return;
    m_before = path;
    readNew();
}

void LogsSide::setRank(std::optional<int> rank) {
    if (rank == m_options.rank) return;
    m_options.rank = rank;
    readNew();
}

void LogsSide::setFollowing(bool following) {
    if (following == m_following) return;
    m_following = following;
    watch();
    emit sourceChanged();
    if (following) reread(); // what was written in between
}

/// What the log before said must not stand under the new one's name, and what is read of it is of no use.
void LogsSide::readNew() {
    ++m_source;
    m_job.cancel();
    m_answer.reset();
    m_error.reset();
    m_stopped = false;
    emit sourceChanged();
    emit answerChanged();
    reread();
}

void LogsSide::watch() {
    const QStringList old = m_watcher.files() + m_watcher.directories();
    if (!old.isEmpty()) m_watcher.removePaths(old);
    m_quiet.stop();
    if (m_following && !m_paths.isEmpty()) m_watcher.addPaths(watched(m_paths));
}

void LogsSide::reread() {
    if (isEmpty()) return;
    m_stopped = false;
    if (m_following && !m_paths.isEmpty()) { // a file that was replaced is no longer watched
        for (const QString& path : watched(m_paths))
            if (!m_watcher.files().contains(path) && !m_watcher.directories().contains(path) &&
                QFileInfo::exists(path))
                m_watcher.addPath(path);
    }
    m_job.request([paths = toPaths(m_paths), text = m_text.toStdString(), before = m_before.toStdString(),
                   options = m_options](const Progress& progress) -> Outcome {
        auto out = std::make_shared<LogsAnswer>();
        auto report =
            paths.empty() ? readLogText(text, options, progress) : readLogs(paths, options, progress);
        if (!report) return report.error();
        out->report = std::move(*report);
        if (!before.empty()) {
            auto old = readLogs({before}, options, progress);
            if (!old) return old.error();
            out->changes = changesBetween(*old, out->report);
            out->before = std::move(*old);
        }
        return std::shared_ptr<const LogsAnswer>(std::move(out));
    });
}

void LogsSide::cancel() {
    m_quiet.stop();
    if (!m_job.running()) return;
    m_job.cancel();
    m_stopped = !m_answer;
    emit answerChanged();
}

QString LogsSide::subject() const {
    if (isPasted()) return tr("pasted text");
    QStringList names;
    for (const QString& path : m_paths) names << QFileInfo(path).fileName();
    return names.size() > 3 ? tr("%1 and %2 more").arg(names.first()).arg(names.size() - 1)
                            : names.join(QStringLiteral(", "));
}

void LogsSide::finish(Outcome outcome) {
    if (outcome) {
        m_answer = std::move(*outcome);
        m_error.reset();
    } else if (outcome.error().code != ErrorCode::cancelled) {
        m_answer.reset();
        m_error = outcome.error();
    }
    emit answerChanged();
}

} // namespace divdet
