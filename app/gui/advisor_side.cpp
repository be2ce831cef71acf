#include "gui/advisor_side.h"

namespace divdet {

AdvisorSide::AdvisorSide(std::shared_ptr<Session> session, QObject* parent)
    : QObject(parent)
    , m_session(std::move(session))
    , m_job(this, [this](Outcome outcome) { finish(std::move(outcome)); }) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(restTime);
    connect(&m_rest, &QTimer::timeout, this, &AdvisorSide::ask);
    connect(&m_job, &LatestJobBase::runningChanged, this, &AdvisorSide::runningChanged);
    connect(&m_job, &LatestJobBase::progressed, this, &AdvisorSide::progressed);
    connect(&m_job, &LatestJobBase::failed, this, [this](const QString& message) {
        finish(Error{ErrorCode::internal, message.toStdString(), {}, {}});
    });
}

void AdvisorSide::setRequest(const AdviseRequest& request) {
    if (request == m_request) return;
    m_request = request;
    const bool told = forgetOutcome();
    m_job.cancel();
    if (m_awake) m_rest.start();
    emit requestChanged();
    if (told) emit adviceChanged();
    emit runningChanged();
}

void AdvisorSide::wake() {
    if (std::exchange(m_awake, true)) return;
    ask();
}

void AdvisorSide::rerun() {
    m_awake = true;
    m_job.cancel();
    const bool told = forgetOutcome();
    ask();
    if (told) emit adviceChanged();
}

bool AdvisorSide::forgetOutcome() {
    const bool told = m_error || m_stopped;
    m_error.reset();
    m_stopped = false;
    return told;
}

void AdvisorSide::cancel() {
    if (!running()) return;
    m_rest.stop();
    m_job.cancel();
    m_stopped = true;
    emit adviceChanged();
    emit runningChanged();
}

void AdvisorSide::ask() {
    m_rest.stop();
    m_asked = m_request;
    m_job.request([session = m_session, request = m_request](const Progress& progress) -> Outcome {
        return advise(*session, request, progress);
    });
}

void AdvisorSide::finish(Outcome outcome) {
    if (outcome) {
        m_advice = std::move(*outcome);
        m_answered = m_asked;
        m_error.reset();
    } else if (outcome.error().code != ErrorCode::cancelled) {
        // Numbers of other settings beside an error would be read as the answer.
        m_advice.reset();
        m_error = outcome.error();
    }
    emit adviceChanged();
}

} // namespace divdet
