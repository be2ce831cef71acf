#pragma once
#include "jobs/latest_job_base.h"
#include <memory>
#include <utility>

namespace divdet {

/// Carries work of one kind to a thread and its newest results back; see LatestJobBase for the policy.
///
///     LatestJob<Snapshot> m_job{this, [this](Snapshot s) { show(s); }};
///     m_job.request([inputs](const Progress& p) { return compute(inputs, p); });
///
/// `done` is called on the GUI thread while `context` lives, once per finished job that was not cancelled.
/// Work must own or share what it reads, and asks `progress.cancelled()` once per block.
template <typename Result>
class LatestJob : public LatestJobBase {
public:
    using Work = std::function<Result(const Progress&)>;
    using Done = std::function<void(Result)>;

    LatestJob(QObject* context, Done done)
        : LatestJobBase(context)
        , m_done(std::move(done)) {}
    ~LatestJob() override { stop(); }

    void request(Work work) {
        requestErased([this, work = std::move(work)](const Progress& progress) -> Deliver {
            auto result = std::make_shared<Result>(work(progress));
            return [this, result] {
                const Done done = m_done; // the receiver may delete this object
                done(std::move(*result));
            };
        });
    }

private:
    Done m_done;
};

} // namespace divdet
