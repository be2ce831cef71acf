#include "gui/sane_finder.h"

namespace divdet {
namespace {

Result<std::shared_ptr<const SaneAnswer>> find(Session& session, const BlockRequest& request,
                                               const Progress& progress) {
    auto runs = runSaneRuns(session, request, progress);
    if (!runs) return runs.error();
    auto out = std::make_shared<SaneAnswer>();
    out->runs = std::move(*runs);
    for (const Rule rule : {Rule::allclose, Rule::either})
        for (const bool equalNan : {false, true}) {
            if (progress.cancelled()) return Error{ErrorCode::cancelled, "the search was cancelled", {}, {}};
            const Tolerance t{rule, 0, 0, equalNan, {}};
            out->tolerances[SaneAnswer::slot(t)] = saneTolerance(*out->runs, t);
        }
    return std::shared_ptr<const SaneAnswer>(std::move(out));
}

} // namespace

SaneFinder::SaneFinder(std::shared_ptr<Session> session, QObject* parent)
    : QObject(parent)
    , m_session(std::move(session))
    , m_job(this, [this](Outcome outcome) { take(std::move(outcome)); }) {
    connect(&m_job, &LatestJobBase::progressed, this, [this](quint64 done, quint64 total, const QString&) {
        m_progress = total > 0 ? tr("%1 of %2").arg(done).arg(total) : QString();
        emit changed();
    });
    connect(&m_job, &LatestJobBase::runningChanged, this, &SaneFinder::changed);
    connect(&m_job, &LatestJobBase::failed, this, [this](const QString& message) {
        take(Error{ErrorCode::internal, message.toStdString(), {}, {}});
    });
}

void SaneFinder::request(const std::shared_ptr<const LiveResult>& live) {
    if (!live || !live->complete || live == m_for || live == m_givenUp) return;
    m_job.cancel();
    m_for = live;
    m_answer.reset();
    m_error.reset();
    m_progress.clear();
    m_job.request([session = m_session, request = live->request](const Progress& progress) -> Outcome {
        return find(*session, request, progress);
    });
    emit changed();
}

void SaneFinder::cancel() {
    if (!m_job.running()) return;
    m_job.cancel();
    m_for.reset(); // asked again, it starts again
    m_progress.clear();
    emit changed();
}

void SaneFinder::giveUp(const std::shared_ptr<const LiveResult>& live) {
    m_givenUp = live;
    cancel();
}

void SaneFinder::take(Outcome outcome) {
    m_progress.clear();
    if (outcome)
        m_answer = std::move(*outcome);
    else if (outcome.error().code != ErrorCode::cancelled)
        m_error = outcome.error();
    emit changed();
}

} // namespace divdet
