#include "gui/determinism_side.h"

namespace divdet {

DeterminismSide::DeterminismSide(std::shared_ptr<Session> session, QObject* parent)
    : QObject(parent)
    , m_session(std::move(session))
    , m_job(this, [this](Outcome outcome) { finish(std::move(outcome)); }) {
    connect(&m_job, &LatestJobBase::runningChanged, this, &DeterminismSide::runningChanged);
    connect(&m_job, &LatestJobBase::progressed, this, &DeterminismSide::progressed);
    connect(&m_job, &LatestJobBase::failed, this, [this](const QString& message) {
        finish(Error{ErrorCode::internal, message.toStdString(), {}, {}});
    });
}

void DeterminismSide::setQuestion(const Question& question) {
    if (question == m_question) return;
    m_question = question;
    emit questionChanged();
}

LabRequest DeterminismSide::request(const BlockRequest& block) const {
    LabRequest out;
    out.block = block;
    if (!m_question.withPasses) out.block.passes.clear();
    out.runs = m_question.runs;
    out.pairs = m_question.pairs;
    out.sources = m_question.sources;
    return out;
}

void DeterminismSide::run(const BlockRequest& block) {
    m_job.cancel();
    m_result.reset();
    m_error.reset();
    m_stopped = false;
    emit resultChanged();
    m_job.request([this, session = m_session, request = request(block)](const Progress& progress) -> Outcome {
        LabEvents events;
        events.part = [this, token = progress.token](const LabResult& part) {
            QMetaObject::invokeMethod(
                this,
                [this, token, result = std::make_shared<const LabResult>(part)] {
                    if (!token.cancelled()) take(result);
                },
                Qt::QueuedConnection);
        };
        auto result = runLab(*session, request, progress, events);
        if (!result) return result.error();
        return std::make_shared<const LabResult>(std::move(*result));
    });
}

void DeterminismSide::cancel() {
    if (!running()) return;
    m_job.cancel();
    m_stopped = true;
    emit resultChanged();
}

void DeterminismSide::take(std::shared_ptr<const LabResult> result) {
    m_result = std::move(result);
    emit resultChanged();
}

void DeterminismSide::finish(Outcome outcome) {
    if (outcome) return take(std::move(*outcome));
    if (outcome.error().code == ErrorCode::cancelled) return;
    m_result.reset();
    m_error = outcome.error();
    emit resultChanged();
}

} // namespace divdet
