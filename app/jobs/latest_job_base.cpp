#include "jobs/latest_job_base.h"
#include <chrono>
#include <exception>
#include <tuple>
#include <utility>

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto reportInterval = std::chrono::milliseconds(50);

} // namespace

/// The newest report of one job, shared by its worker and the GUI thread.
struct LatestJobBase::Report {
    std::mutex mutex;
    Clock::time_point last;
    quint64 done = 0;
    quint64 total = 0;
    QString what;
    bool posted = false;

    /// True when an event has to be posted for this report; a posted one that was not read yet is refreshed.
    bool update(std::uint64_t newDone, std::uint64_t newTotal, std::string_view newWhat) {
        const std::lock_guard lock(mutex);
        const Clock::time_point now = Clock::now();
        const bool due = now - last >= reportInterval || newDone >= newTotal;
        if (!due && !posted) return false;
        done = newDone;
        total = newTotal;
        what = QString::fromUtf8(newWhat.data(), static_cast<qsizetype>(newWhat.size()));
        if (posted) return false;
        last = now;
        posted = true;
        return true;
    }
};

LatestJobBase::LatestJobBase(QObject* context)
    : m_context(context) {
    m_pool.setMaxThreadCount(1);
}

LatestJobBase::~LatestJobBase() {
    stop();
}

void LatestJobBase::stop() {
    m_waiting = nullptr;
    if (m_running) m_running->cancel();
    m_pool.waitForDone();
}

void LatestJobBase::requestErased(ErasedWork work) {
    if (m_running) {
        m_waiting = std::move(work);
    } else {
        start(std::move(work));
        emit runningChanged(true);
    }
}

void LatestJobBase::cancel() {
    m_waiting = nullptr;
    if (!m_running || m_running->cancelled()) return;
    m_running->cancel();
    emit cancelled();
}

void LatestJobBase::start(ErasedWork work) {
    const CancelToken token;
    m_running = token;
    ++m_started;
    auto report = std::make_shared<Report>();
    Progress progress;
    progress.token = token;
    progress.report = [this, report, token](std::uint64_t done, std::uint64_t total, std::string_view what) {
        if (token.cancelled() || !report->update(done, total, what)) return;
        post([this, report, token] {
            std::unique_lock lock(report->mutex);
            report->posted = false;
            const auto [newDone, newTotal, newWhat] = std::tuple(report->done, report->total, report->what);
            lock.unlock();
            if (!token.cancelled()) emit progressed(newDone, newTotal, newWhat);
        });
    };
    // The pool is a member and is waited for in the destructor, so `this` outlives the worker.
    auto task = [this, token, progress = std::move(progress), work = std::move(work)]() mutable {
        Deliver deliver;
        std::optional<QString> error;
        try {
            deliver = work(progress);
        } catch (const std::exception& thrown) {
            error = QString::fromUtf8(thrown.what());
        } catch (...) { // it would end the program
            error = QString();
        }
        if (error && error->isEmpty()) error = tr("the work failed and did not say why");
        work = nullptr; // what the work holds is let go on the worker, not on the GUI thread
        post([this, token, deliver = std::move(deliver), error] { finish(token, deliver, error); });
    };
    {
        const std::lock_guard lock(m_exchange.mutex);
        m_exchange.task = std::move(task);
    }
    m_pool.start([this] {
        std::function<void()> next;
        {
            const std::lock_guard lock(m_exchange.mutex);
            next = std::exchange(m_exchange.task, nullptr);
        }
        if (next) next();
    });
}

void LatestJobBase::post(std::function<void()> what) {
    {
        const std::lock_guard lock(m_exchange.mutex);
        m_exchange.inbox.push_back(std::move(what));
    }
    QMetaObject::invokeMethod(this, "takePosted", Qt::QueuedConnection);
}

/// One for each time it was posted, so that it keeps its place among events that others post from the work.
void LatestJobBase::takePosted() {
    std::function<void()> what;
    {
        const std::lock_guard lock(m_exchange.mutex);
        what = std::move(m_exchange.inbox.front());
        m_exchange.inbox.pop_front();
    }
    what(); // may delete this object
}

void LatestJobBase::finish(const CancelToken& token, const Deliver& deliver,
                           const std::optional<QString>& error) {
    m_running.reset();
    const QPointer<LatestJobBase> alive(this); // a receiver may delete this object
    if (m_waiting) start(std::exchange(m_waiting, nullptr));
    if (!token.cancelled() && error) {
        emit failed(*error);
    } else if (!token.cancelled() && deliver && m_context) {
        ++m_delivered;
        deliver();
    }
    if (alive && !m_running) emit runningChanged(false);
}

} // namespace divdet
