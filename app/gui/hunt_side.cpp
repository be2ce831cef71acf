#include "gui/hunt_side.h"

#include "session/repro/script.h"

namespace divdet {
namespace {

Result<std::shared_ptr<const SmallCase>> smallCase(Session& session, const MinifyRequest& request,
                                                   const Progress& progress,
                                                   const hunt::MinimiseEvents& events) {
    auto minified = minifyBlock(session, request, progress, events);
    if (!minified) return minified.error();
    auto out = std::make_shared<SmallCase>();
    out->minified = std::move(*minified);
    const auto ending = out->minified.result.ending;
    if (ending == hunt::MinimiseEnding::notBad || ending == hunt::MinimiseEnding::unsteady)
        return std::shared_ptr<const SmallCase>(std::move(out));
    auto repro = reproOf(session, out->minified, progress);
    if (!repro) return repro.error();
    auto run = runRepro(session, *repro, "", progress);
    if (!run) return run.error();
    out->run = std::move(*run);
    out->json = reproText(*repro);
    if (auto script = reproScript(*repro, out->run))
        out->script = std::move(*script);
    else
        out->noScript = script.error().text();
    out->markdown = reproMarkdown(*repro, out->run, &out->minified.result, out->noScript);
    out->repro = std::move(*repro);
    return std::shared_ptr<const SmallCase>(std::move(out));
}

} // namespace

HuntSide::HuntSide(std::shared_ptr<Session> session, QObject* parent)
    : QObject(parent)
    , m_session(std::move(session))
    , m_job(this, [this](Outcome outcome) { finish(std::move(outcome)); }) {
    connect(&m_job, &LatestJobBase::runningChanged, this, &HuntSide::runningChanged);
    connect(&m_job, &LatestJobBase::failed, this, [this](const QString& message) {
        finish({nullptr, nullptr, nullptr, Error{ErrorCode::internal, message.toStdString(), {}, {}}});
    });
}

HuntSide::~HuntSide() {
    m_gate->open();
}

void HuntSide::setQuestion(const Question& question) {
    if (question == m_question) return;
    m_question = question;
    emit questionChanged();
}

void HuntSide::begin(Work work, Job::Work job) {
    // A hunt that other work ends can go on later too.
    m_stoppedHunt = work != Work::hunt && (m_stoppedHunt || (running() && m_work == Work::hunt));
    m_work = work;
    m_error.reset();
    setPaused(false);
    m_job.cancel();
    emit started(work);
    m_job.request(std::move(job));
}

template <class Event>
void HuntSide::post(const CancelToken& token, const Event& event, void (HuntSide::*signal)(const Event&)) {
    QMetaObject::invokeMethod(
        this,
        [this, token, event, signal] {
            if (!token.cancelled()) emit(this->*signal)(event);
        },
        Qt::QueuedConnection);
}

void HuntSide::hunt(const BlockRequest& block) {
    m_block = block;
    m_asked = m_question;
    ++m_hunts;
    huntNow(false);
}

void HuntSide::resume() {
    if (canResume()) huntNow(true);
}

void HuntSide::huntNow(bool resume) {
    BlockHuntRequest request;
    request.block = *m_block;
    request.over = m_asked.over;
    request.bad = m_asked.bad;
    request.options.all = m_asked.all;
    request.options.strict = m_asked.strict;
    request.options.state.path = m_folder.filePath(QStringLiteral("hunt%1.json").arg(m_hunts)).toStdString();
    // A hunt that was stopped before its first run has left nothing.
    request.options.state.resume = resume && std::filesystem::exists(request.options.state.path);
    m_found.reset();
    m_small.reset();
    begin(Work::hunt,
          [this, session = m_session, request, gate = m_gate](const Progress& progress) -> Outcome {
              auto found = huntBlock(*session, request, progress, [&](const hunt::HuntEvent& event) {
                  post(progress.token, event, &HuntSide::huntEvent);
                  gate->pass(progress.token);
              });
              if (!found) return {nullptr, nullptr, nullptr, found.error()};
              return {std::make_shared<const BlockHunt>(std::move(*found)), nullptr, nullptr, std::nullopt};
          });
}

bool HuntSide::canMinify() const {
    return !running() && m_found && m_found->result.ending == hunt::Ending::found;
}

void HuntSide::minify() {
    if (!canMinify()) return;
    // The question as it was asked: what automatic means to the minimiser, the very bug and no other, is more
    // than what the hunt settled on.
    MinifyRequest request{m_found->request.block, m_asked.bad, {}};
    // What was found alone is smaller to begin with, where it can run alone.
    if (m_found->result.culprits.front().alone) request.block = m_found->alone.front();
    m_small.reset();
    begin(Work::minify,
          [this, session = m_session, request, gate = m_gate](const Progress& progress) -> Outcome {
              auto small = smallCase(*session, request, progress, [&](const hunt::MinimiseEvent& event) {
                  post(progress.token, event, &HuntSide::minifyEvent);
                  gate->pass(progress.token);
              });
              if (!small) return {nullptr, nullptr, nullptr, small.error()};
              return {nullptr, std::move(*small), nullptr, std::nullopt};
          });
}

void HuntSide::findStages(const BlockRequest& block) {
    m_stagesBlock = block;
    m_stages.reset();
    begin(
        Work::stages,
        [session = m_session, block, bad = m_question.bad](const Progress& progress) -> Outcome {
            auto stages = findStage(*session, block, bad, progress);
            if (!stages) return {nullptr, nullptr, nullptr, stages.error()};
            return {nullptr, nullptr, std::make_shared<const StagesResult>(std::move(*stages)), std::nullopt};
        });
}

void HuntSide::cancel() {
    if (!running()) return;
    m_stoppedHunt = m_work == Work::hunt;
    m_job.cancel();
    setPaused(false);
    emit resultChanged();
}

void HuntSide::setPaused(bool paused) {
    if (paused == m_gate->closed() || (paused && !running())) return;
    paused ? m_gate->close() : m_gate->open();
    emit pausedChanged();
}

void HuntSide::finish(Outcome outcome) {
    if (outcome.error && outcome.error->code != ErrorCode::cancelled) m_error = outcome.error;
    if (outcome.found) m_found = std::move(outcome.found);
    if (outcome.small) m_small = std::move(outcome.small);
    if (outcome.stages) m_stages = std::move(outcome.stages);
    setPaused(false);
    emit resultChanged();
}

} // namespace divdet
