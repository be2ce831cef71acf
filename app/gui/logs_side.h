#pragma once
#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <optional>

#include "jobs/latest_job.h"
#include "logs/log_changes.h"
#include "logs/log_reader.h"

namespace divdet {

/// What one reading of a log came to.
struct LogsAnswer {
    LogReport report;
    std::optional<LogReport> before;
    std::optional<LogChanges> changes; ///< where there is a log from before
};

/// The log that is read: files or pasted text, and what they say. Files that grow are followed.
class LogsSide : public QObject {
    Q_OBJECT
public:
    explicit LogsSide(QObject* parent = nullptr);

    /// Files or folders, read as one log.
    void open(const QStringList& paths);
    void paste(const QString& text);
    /// The log from before a fix; empty: none.
    void setBefore(const QString& path);
    void setRank(std::optional<int> rank);
    /// Read again whenever a file changes.
    void setFollowing(bool following);
    void reread();
    void cancel();

    bool isEmpty() const { return m_paths.isEmpty() && m_text.isEmpty(); }
    bool isPasted() const { return m_paths.isEmpty() && !m_text.isEmpty(); }
    const QStringList& paths() const { return m_paths; }
    const QString& beforePath() const { return m_before; }
    std::optional<int> rank() const { return m_options.rank; }
    bool following() const { return m_following; }
    bool running() const { return m_job.running(); }
    /// The newest source was not read to its end: the user stopped it.
    bool stopped() const { return m_stopped; }
    int source() const { return m_source; } ///< a number of its own for every source that is named
    int readings() const { return m_job.startedCount(); }
    /// File names, or that it was pasted.
    QString subject() const;

    /// What the source says; stays while the same source is read again. Null before that, after an error and
    /// once another source is named.
    const std::shared_ptr<const LogsAnswer>& answer() const { return m_answer; }
    const std::optional<Error>& error() const { return m_error; }

signals:
    void sourceChanged();
    void answerChanged(); ///< or its error
    void runningChanged();
    void progressed(quint64 done, quint64 total, const QString& what);

private:
    using Outcome = Result<std::shared_ptr<const LogsAnswer>>;
    void watch();
    void readNew();
    void finish(Outcome outcome);

    QStringList m_paths;
    QString m_text, m_before;
    LogOptions m_options;
    int m_source = 0;
    bool m_following = false, m_stopped = false;
    std::shared_ptr<const LogsAnswer> m_answer;
    std::optional<Error> m_error;
    QFileSystemWatcher m_watcher;
    QTimer m_quiet;
    LatestJob<Outcome> m_job; ///< last: its destructor waits for the worker
};

} // namespace divdet
