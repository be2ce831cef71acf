#pragma once
#include <QObject>
#include <memory>
#include <optional>

#include "gui/sane_answer.h"
#include "jobs/latest_job.h"
#include "session/run_block.h"

namespace divdet {

/// Finds the window of sane tolerances in the background, once the block's own run is done. A tolerance that
/// moves starts nothing.
class SaneFinder : public QObject {
    Q_OBJECT
public:
    explicit SaneFinder(std::shared_ptr<Session> session, QObject* parent = nullptr);

    /// For this complete result; nothing happens when it was asked for already, or given up. What runs for
    /// another one is stopped.
    void request(const std::shared_ptr<const LiveResult>& live);
    void cancel();
    /// As cancel(), by the user: for this result no search starts again.
    void giveUp(const std::shared_ptr<const LiveResult>& live);
    /// Of a stopped search too, until it has ended.
    bool running() const { return m_job.running(); }
    int runsStarted() const { return m_job.startedCount(); }

    /// The answer for this result; null: not found yet.
    std::shared_ptr<const SaneAnswer> answerFor(const std::shared_ptr<const LiveResult>& live) const {
        return live && live == m_for ? m_answer : nullptr;
    }
    /// Why there is none, when the runs failed; none while they go on.
    const std::optional<Error>& error() const { return m_error; }
    /// "12 of 25": runs made, of the job that runs; empty before the first.
    const QString& progress() const { return m_progress; }

signals:
    /// An answer, an error, progress, or `running`.
    void changed();

private:
    using Outcome = Result<std::shared_ptr<const SaneAnswer>>;
    void take(Outcome outcome);

    std::shared_ptr<Session> m_session;
    std::shared_ptr<const LiveResult> m_for; ///< what is asked for, or answered
    std::shared_ptr<const LiveResult> m_givenUp;
    std::shared_ptr<const SaneAnswer> m_answer;
    std::optional<Error> m_error;
    QString m_progress;
    LatestJob<Outcome> m_job; ///< last: its destructor waits for the worker
};

} // namespace divdet
