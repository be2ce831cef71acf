#pragma once
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

#include "jobs/latest_job.h"
#include "session/advise/advise.h"

namespace divdet {

/// What the advisor is asked, and its newest answer. It answers while it is awake: asking costs a second or
/// more of work, so a window that never shows the page never asks.
class AdvisorSide : public QObject {
    Q_OBJECT
public:
    explicit AdvisorSide(std::shared_ptr<Session> session, QObject* parent = nullptr);

    const AdviseRequest& request() const { return m_request; }
    /// Asked once it has rested; the question before is given up, for an answer takes too long to wait for.
    void setRequest(const AdviseRequest& request);
    /// From now on changes are answered; the first call asks.
    void wake();
    /// Asks again.
    void rerun();
    void cancel();

    /// Asks, or is about to.
    bool running() const { return m_rest.isActive() || m_job.running(); }
    int asked() const { return m_job.startedCount(); }
    /// The newest answer; stays while the next one is made. Null before the first one, and after an error.
    const std::shared_ptr<const Advice>& advice() const { return m_advice; }
    /// `advice` is the answer to `request`.
    bool upToDate() const { return m_advice && m_answered == m_request; }
    /// What a view shows: `advice`, but none once the next question was stopped, for then it would be read as
    /// the answer to that.
    std::shared_ptr<const Advice> shown() const { return m_stopped && !upToDate() ? nullptr : m_advice; }
    /// The question that `shown` answers; without it the newest one.
    const AdviseRequest& shownRequest() const { return shown() ? m_answered : m_request; }
    /// Why the newest question has no answer; none while it is asked.
    const std::optional<Error>& error() const { return m_error; }
    /// The newest question was stopped by the user.
    bool stopped() const { return m_stopped; }

    /// ms the request rests before it is asked.
    static constexpr int restTime = 250;

signals:
    void requestChanged();
    void adviceChanged(); ///< or its error
    void runningChanged();
    void progressed(quint64 done, quint64 total, const QString& what);

private:
    using Outcome = Result<std::shared_ptr<const Advice>>;
    void ask();
    /// Why the question before has no answer must not stand over the next one. True: it was told.
    bool forgetOutcome();
    void finish(Outcome outcome);

    std::shared_ptr<Session> m_session;
    AdviseRequest m_request, m_asked, m_answered;
    bool m_awake = false, m_stopped = false;
    std::shared_ptr<const Advice> m_advice;
    std::optional<Error> m_error;
    QTimer m_rest;
    LatestJob<Outcome> m_job; ///< last: its destructor waits for the worker
};

} // namespace divdet
