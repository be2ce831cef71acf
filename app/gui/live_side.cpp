#include "gui/live_side.h"

#include <algorithm>

namespace divdet {

LiveSide::LiveSide(std::shared_ptr<Session> session, QObject* parent)
    : QObject(parent)
    , m_session(std::move(session))
    , m_job(this, [this](Outcome outcome) { finish(std::move(outcome)); }) {
    connect(&m_job, &LatestJobBase::runningChanged, this, &LiveSide::runningChanged);
    connect(&m_job, &LatestJobBase::progressed, this, &LiveSide::progressed);
    connect(&m_job, &LatestJobBase::failed, this, [this](const QString& message) {
        finish(Error{ErrorCode::internal, message.toStdString(), {}, {}});
    });
}

void LiveSide::request(const BlockRequest& request) {
    m_job.request([this, session = m_session, request](const Progress& progress) -> Outcome {
        const auto partial = [this, token = progress.token](std::shared_ptr<const LiveResult> result) {
            QMetaObject::invokeMethod(
                this,
                [this, token, result = std::move(result)] {
                    if (!token.cancelled()) take(result);
                },
                Qt::QueuedConnection);
        };
        return runBlock(*session, request, progress, partial);
    });
}

void LiveSide::rejudge(const Tolerance& tolerance) {
    m_tolerance = tolerance;
    m_judged.rejudge(tolerance);
}

void LiveSide::take(std::shared_ptr<const LiveResult> result) {
    m_newest = std::move(result);
    if (m_newest->complete) m_complete = m_newest;
    // The snapshot that adds the single passes brings no new pairs: exact counts stay.
    if (m_judged.comparison() != m_newest->together) m_judged.set(m_newest->together, m_tolerance);
    m_error.reset();
    emit resultArrived();
}

bool LiveSide::classesPending() const {
    if (!m_newest || !m_newest->request.classify || m_newest->complete || !m_newest->alone.empty())
        return false;
    // The second snapshot differs from the first by what the judge adds to each pair.
    return std::none_of(m_newest->together->pairs.begin(), m_newest->together->pairs.end(),
                        [](const TapPair& p) { return p.bound || p.zRms; });
}

void LiveSide::finish(Outcome outcome) {
    if (outcome) return take(std::move(*outcome));
    if (outcome.error().code == ErrorCode::cancelled) return;
    m_error = outcome.error();
    emit failed();
}

} // namespace divdet
