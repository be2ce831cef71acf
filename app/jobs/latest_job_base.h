#pragma once
#include "base/progress.h"
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace divdet {

/// The part of LatestJob that does not know the result's type. GUI thread only, except what says otherwise.
///
/// One job runs, one waits; a new request replaces the waiting one. The running one finishes and its result
/// is shown: cancelling it on every slider move would starve the plot. Nothing here blocks the GUI thread but
/// the destructor, and that only until the running work reaches its next block (CancelToken).
class LatestJobBase : public QObject {
    Q_OBJECT
public:
    ~LatestJobBase() override;

    /// Drops the waiting job and stops the running one at its next block; its result is not delivered.
    void cancel();

    bool running() const { return m_running.has_value(); }
    bool waiting() const { return static_cast<bool>(m_waiting); }

    /// How many jobs were given to a thread, and how many of those delivered a result.
    int startedCount() const { return m_started; }
    int deliveredCount() const { return m_delivered; }

signals:
    void runningChanged(bool running);
    /// At most every 50 ms; the last report of a job (done = total) always comes.
    void progressed(quint64 done, quint64 total, const QString& what);
    void cancelled();
    /// The work threw: what it said. Work reports its own errors as values; this is the last net.
    void failed(const QString& message);

protected:
    /// Runs on a worker; returns the step that delivers its result on the GUI thread.
    using Deliver = std::function<void()>;
    using ErasedWork = std::function<Deliver(const Progress&)>;

    explicit LatestJobBase(QObject* context);
    void requestErased(ErasedWork work);

    /// Waits for the worker. A derived class calls it first in its destructor: work may use its members.
    void stop();

private:
    struct Report;
    /// What goes from one thread to the other lies under a mutex of our own; Qt only wakes the receiver.
    /// (Qt's queue is as safe, but the thread sanitizer cannot see that: Qt is not built for it.)
    struct Exchange {
        std::mutex mutex;
        std::function<void()> task;              ///< for the worker
        std::deque<std::function<void()>> inbox; ///< for the GUI thread, in order
    };
    void post(std::function<void()> what); ///< from any thread
    Q_INVOKABLE void takePosted();
    void start(ErasedWork work);
    void finish(const CancelToken& token, const Deliver& deliver, const std::optional<QString>& error);

    QPointer<QObject> m_context;
    Exchange m_exchange; // outlives the pool, whose worker uses it
    QThreadPool m_pool;
    std::optional<CancelToken> m_running;
    ErasedWork m_waiting;
    int m_started = 0;
    int m_delivered = 0;
};

} // namespace divdet
