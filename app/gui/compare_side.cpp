#include "gui/compare_side.h"

#include <algorithm>

#include "session/result_file.h"

namespace divdet {
namespace {

QString nameOf(const std::filesystem::path& path) {
    const std::filesystem::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
    return QString::fromStdString(name.string());
}

} // namespace

QString Candidate::name() const {
    return nameOf(path);
}

CompareSide::CompareSide(std::shared_ptr<Session> session, QObject* parent)
    : QObject(parent)
    , m_session(std::move(session))
    , m_job(this, [this](Outcome outcome) { finish(m_running, std::move(outcome)); }) {
    connect(&m_job, &LatestJobBase::progressed, this, [this](quint64 done, quint64 total, const QString&) {
        if (m_running < 0) return;
        Candidate& candidate = m_candidates[static_cast<std::size_t>(m_running)];
        candidate.done = done;
        candidate.total = total;
        emit candidateChanged(m_running);
    });
    connect(&m_job, &LatestJobBase::failed, this, [this](const QString& message) {
        finish(m_running, Error{ErrorCode::internal, message.toStdString(), {}, {}});
    });
    connect(&m_job, &LatestJobBase::runningChanged, this, [this](bool running) {
        if (!running) startNext();
    });
}

QString CompareSide::referenceName() const {
    return m_reference.empty() ? QString() : nameOf(m_reference);
}

const Candidate* CompareSide::currentCandidate() const {
    return m_current < 0 ? nullptr : &m_candidates[static_cast<std::size_t>(m_current)];
}

void CompareSide::queue(Candidate& candidate) {
    candidate.state = Candidate::State::waiting;
    candidate.error.reset();
    candidate.done = candidate.total = 0;
}

void CompareSide::stopAll() {
    m_generation.cancel();
    m_generation = CancelToken();
    m_job.cancel();
    if (std::exchange(m_running, -1) >= 0) emit runningChanged(false);
}

void CompareSide::setReference(const std::filesystem::path& path) {
    stopAll();
    m_reference = path;
    for (Candidate& candidate : m_candidates) {
        queue(candidate);
        candidate.saved.clear(); // what was saved belongs to the reference before
        candidate.result.reset();
        candidate.judged = {};
    }
    emit filesChanged();
    startNext();
}

void CompareSide::addCandidate(const std::filesystem::path& path) {
    const auto known = std::find_if(m_candidates.begin(), m_candidates.end(),
                                    [&path](const Candidate& c) { return c.path == path; });
    const int index = static_cast<int>(known - m_candidates.begin());
    if (known == m_candidates.end()) {
        m_candidates.emplace_back().path = path;
    } else if (index != m_running) {
        queue(*known);
    }
    m_current = index;
    emit filesChanged();
    emit currentChanged();
    startNext();
}

void CompareSide::openResult(const std::filesystem::path& file) {
    stopAll();
    m_candidates.clear();
    m_reference = file; // until the file has told its own
    Candidate& candidate = m_candidates.emplace_back();
    candidate.path = candidate.saved = file;
    m_current = 0;
    emit filesChanged();
    emit currentChanged();
    startNext();
}

void CompareSide::removeCandidate(int index) {
    if (index < 0 || index >= static_cast<int>(m_candidates.size())) return;
    if (m_running >= 0 && index <= m_running) {
        // The running one keeps its place in the queue; what it had done is read again.
        Candidate& running = m_candidates[static_cast<std::size_t>(m_running)];
        queue(running);
        stopAll();
    }
    m_candidates.erase(m_candidates.begin() + index);
    if (m_current >= index && m_current > 0) --m_current;
    if (m_candidates.empty()) m_current = -1;
    emit filesChanged();
    emit currentChanged();
    startNext();
}

void CompareSide::setCurrent(int index) {
    if (index == m_current || index < 0 || index >= static_cast<int>(m_candidates.size())) return;
    m_current = index;
    emit currentChanged();
}

void CompareSide::swapReference() {
    if (m_current < 0 || m_reference.empty()) return;
    std::filesystem::path& other = m_candidates[static_cast<std::size_t>(m_current)].path;
    const std::filesystem::path next = other;
    other = m_reference;
    setReference(next);
    emit currentChanged();
}

void CompareSide::clear() {
    stopAll();
    m_reference.clear();
    m_candidates.clear();
    m_current = -1;
    emit filesChanged();
    emit currentChanged();
}

void CompareSide::rerun() {
    stopAll();
    for (Candidate& candidate : m_candidates) queue(candidate);
    for (int i = 0; i < static_cast<int>(m_candidates.size()); ++i) emit candidateChanged(i);
    startNext();
}

void CompareSide::reload(const std::filesystem::path& path) {
    if (path == m_reference) return rerun();
    for (std::size_t i = 0; i < m_candidates.size(); ++i)
        if (m_candidates[i].path == path) {
            if (static_cast<int>(i) == m_running) stopAll();
            queue(m_candidates[i]);
            emit candidateChanged(static_cast<int>(i));
        }
    startNext();
}

void CompareSide::cancel() {
    stopAll();
    for (std::size_t i = 0; i < m_candidates.size(); ++i) {
        Candidate& candidate = m_candidates[i];
        if (candidate.state != Candidate::State::running && candidate.state != Candidate::State::waiting)
            continue;
        candidate.state = Candidate::State::cancelled;
        emit candidateChanged(static_cast<int>(i));
    }
}

void CompareSide::setFileSettings(const FileSettings& settings) {
    if (settings == m_files) return;
    m_files = settings;
    if (canCompare()) rerun();
}

void CompareSide::rejudge(const Tolerance& tolerance) {
    m_tolerance = tolerance;
    for (Candidate& candidate : m_candidates) candidate.judged.rejudge(tolerance);
}

bool CompareSide::takeExact(const std::shared_ptr<const Comparison>& comparison, std::size_t pair,
                            const AtTolerance& exact) {
    return std::any_of(m_candidates.begin(), m_candidates.end(), [&](Candidate& candidate) {
        return candidate.judged.takeExact(comparison, pair, exact);
    });
}

void CompareSide::startNext() {
    if (m_running >= 0 || m_job.running() || m_reference.empty()) return;
    const auto next = std::find_if(m_candidates.begin(), m_candidates.end(),
                                   [](const Candidate& c) { return c.state == Candidate::State::waiting; });
    if (next == m_candidates.end()) return;
    next->state = Candidate::State::running;
    m_running = static_cast<int>(next - m_candidates.begin());
    CompareRequest request;
    request.reference = m_reference;
    request.candidate = next->path;
    request.shapes.squeeze = m_files.squeeze;
    request.ignoreMissing = m_files.ignoreMissing;
    emit runningChanged(true);
    emit candidateChanged(m_running);
    if (!next->saved.empty()) {
        m_job.request([file = next->saved](const Progress&) -> Outcome {
            auto saved = readResult(file);
            if (!saved) return saved.error();
            return std::make_shared<const CompareResult>(std::move(saved->result));
        });
        return;
    }
    m_job.request([this, session = m_session, request, index = m_running,
                   generation = m_generation](const Progress& progress) -> Outcome {
        const auto partial = [this, generation, index](std::shared_ptr<const CompareResult> result) {
            QMetaObject::invokeMethod(
                this,
                [this, generation, index, result = std::move(result)] {
                    if (!generation.cancelled()) take(index, result);
                },
                Qt::QueuedConnection);
        };
        return compareDumps(*session, request, progress, partial);
    });
}

void CompareSide::take(int index, std::shared_ptr<const CompareResult> result) {
    Candidate& candidate = m_candidates[static_cast<std::size_t>(index)];
    const bool first = !candidate.result;
    candidate.result = std::move(result);
    candidate.judged.set(candidate.result->comparison, m_tolerance);
    if (first) emit toleranceSuggested(candidate.result->tolerance);
    emit candidateChanged(index);
}

void CompareSide::finish(int index, Outcome outcome) {
    if (index < 0) return;
    Candidate& candidate = m_candidates[static_cast<std::size_t>(index)];
    m_running = -1;
    emit runningChanged(false);
    if (outcome) {
        candidate.state = Candidate::State::done;
        if (!candidate.saved.empty() && !(*outcome)->request.reference.empty()) {
            m_reference = (*outcome)->request.reference;
            candidate.path = (*outcome)->request.candidate;
            emit filesChanged();
        }
        take(index, std::move(*outcome));
    } else {
        candidate.state = Candidate::State::failed;
        candidate.error = outcome.error();
        candidate.result.reset();
        candidate.judged = {};
        emit candidateChanged(index);
        emit failed(index);
    }
}

} // namespace divdet
