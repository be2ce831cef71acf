#pragma once
#include <QObject>
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "gui/judged.h"
#include "gui/settings.h"
#include "jobs/latest_job.h"
#include "session/compare_dumps.h"

namespace divdet {

/// One opened file compared with the reference.
struct Candidate {
    enum class State { waiting, running, done, failed, cancelled };

    std::filesystem::path path;
    std::filesystem::path saved; ///< the result file this comparison is read from; empty: the dumps
    State state = State::waiting;
    std::shared_ptr<const CompareResult> result; ///< partial while running, the old one while it runs again
    Judged judged;
    std::optional<Error> error;
    quint64 done = 0, total = 0; ///< taps, while running
    QString name() const;        ///< file name
};

/// Opened files: one reference, several candidates, each compared by a job, one after the other.
class CompareSide : public QObject {
    Q_OBJECT
public:
    explicit CompareSide(std::shared_ptr<Session> session, QObject* parent = nullptr);

    const std::filesystem::path& reference() const { return m_reference; } ///< empty: none
    QString referenceName() const;
    const std::vector<Candidate>& candidates() const { return m_candidates; }
    int current() const { return m_current; } ///< -1: none
    const Candidate* currentCandidate() const;
    bool isEmpty() const { return m_reference.empty() && m_candidates.empty(); }
    bool canCompare() const { return !m_reference.empty() && !m_candidates.empty(); }

    void setReference(const std::filesystem::path& path);
    /// A path that is already a candidate is compared again. The new one becomes the current.
    void addCandidate(const std::filesystem::path& path);
    /// Shows a saved comparison in place of what is open. Reference and candidate become those it recorded.
    void openResult(const std::filesystem::path& file);
    void removeCandidate(int index);
    void setCurrent(int index);
    /// The current candidate becomes the reference, and the reference a candidate in its place.
    void swapReference();
    void clear();

    /// Every candidate again, or those of one file.
    void rerun();
    void reload(const std::filesystem::path& path);
    void cancel();
    bool running() const { return m_running >= 0; }
    int runningIndex() const { return m_running; }
    int scansStarted() const { return m_job.startedCount(); }

    void setFileSettings(const FileSettings& settings);
    void rejudge(const Tolerance& tolerance);
    bool takeExact(const std::shared_ptr<const Comparison>& comparison, std::size_t pair,
                   const AtTolerance& exact);

signals:
    void filesChanged(); ///< reference or list of candidates
    void currentChanged();
    void candidateChanged(int index); ///< its result, state or progress
    void runningChanged(bool running);
    /// The first numbers of the first pair: here an automatic tolerance is settled.
    void toleranceSuggested(const divdet::Tolerance& tolerance);
    void failed(int index);

private:
    using Outcome = Result<std::shared_ptr<const CompareResult>>;
    void startNext();
    void queue(Candidate& candidate);
    void take(int index, std::shared_ptr<const CompareResult> result);
    void finish(int index, Outcome outcome);
    void stopAll();

    std::shared_ptr<Session> m_session;
    FileSettings m_files;
    Tolerance m_tolerance;
    std::filesystem::path m_reference;
    std::vector<Candidate> m_candidates;
    int m_current = -1;
    int m_running = -1;
    CancelToken m_generation; ///< results of an older list are dropped
    LatestJob<Outcome> m_job; ///< last: its destructor waits for the worker
};

} // namespace divdet
