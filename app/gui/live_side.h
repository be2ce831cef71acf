#pragma once
#include <QObject>
#include <memory>
#include <optional>

#include "gui/judged.h"
#include "jobs/latest_job.h"
#include "session/run_block.h"

namespace divdet {

/// The running block: its newest results and their verdicts at the current tolerance.
class LiveSide : public QObject {
    Q_OBJECT
public:
    explicit LiveSide(std::shared_ptr<Session> session, QObject* parent = nullptr);

    /// Runs it as soon as the run before it is done; an older request that still waits is dropped.
    void request(const BlockRequest& request);
    void cancel() { m_job.cancel(); }
    bool running() const { return m_job.running(); }
    int runsStarted() const { return m_job.startedCount(); }

    /// Judges at once, from frontiers.
    void rejudge(const Tolerance& tolerance);
    bool takeExact(const std::shared_ptr<const Comparison>& comparison, std::size_t pair,
                   const AtTolerance& exact) {
        return m_judged.takeExact(comparison, pair, exact);
    }

    /// The newest result; its single passes may still be to come. Null before the first one.
    const std::shared_ptr<const LiveResult>& newest() const { return m_newest; }
    /// The newest one with its single passes; what is drawn until then is this.
    const std::shared_ptr<const LiveResult>& complete() const { return m_complete; }
    const Judged& judged() const { return m_judged; }
    /// The verdict stands, and each op is still being judged on the inputs it read.
    bool classesPending() const;
    /// Of the last run, when it failed.
    const std::optional<Error>& error() const { return m_error; }

signals:
    /// A new `newest()`, and `complete()` when it is that.
    void resultArrived();
    void failed();
    void runningChanged(bool running);
    void progressed(quint64 done, quint64 total, const QString& what);

private:
    using Outcome = Result<std::shared_ptr<const LiveResult>>;
    void take(std::shared_ptr<const LiveResult> result);
    void finish(Outcome outcome);

    std::shared_ptr<Session> m_session;
    Tolerance m_tolerance;
    std::shared_ptr<const LiveResult> m_newest, m_complete;
    Judged m_judged;
    std::optional<Error> m_error;
    LatestJob<Outcome> m_job; ///< last: its destructor waits for the worker
};

} // namespace divdet
