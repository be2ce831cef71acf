#pragma once
#include <QObject>
#include <QTemporaryDir>
#include <memory>
#include <optional>

#include "gui/pause_gate.h"
#include "jobs/latest_job.h"
#include "session/hunt/find_stage.h"
#include "session/hunt/hunt_block.h"
#include "session/repro/repro.h"

namespace divdet {

/// A case that the minimiser ended with, and its repro as text.
struct SmallCase {
    Minified minified;
    std::optional<Repro> repro; ///< none: nothing failed, or in some runs only
    ReproRun run;
    std::string json, script, markdown; ///< repro.json, repro.py (empty: `noScript` says why), repro.md
    std::string noScript;
};

/// What is hunted in the running block, and what came of it: the passes or ops that make it bad, the smallest
/// case that shows it, the first stage that disagrees. One of these at a time. A hunt that was stopped goes
/// on where it was.
class HuntSide : public QObject {
    Q_OBJECT
public:
    /// How it is hunted; of what, is the block's settings.
    struct Question {
        Over over = Over::passes;
        BadWhen bad;
        bool all = false; ///< go on for further culprits
        bool strict = false;

        friend bool operator==(const Question& a, const Question& b) {
            return a.over == b.over && toString(a.bad) == toString(b.bad) && a.all == b.all &&
                   a.strict == b.strict;
        }
    };
    enum class Work { none, hunt, minify, stages };

    explicit HuntSide(std::shared_ptr<Session> session, QObject* parent = nullptr);
    ~HuntSide() override;

    const Question& question() const { return m_question; }
    void setQuestion(const Question& question);

    void hunt(const BlockRequest& block);
    /// Goes on with a hunt that was stopped, from the runs that it had made. Precondition: canResume().
    void resume();
    bool canResume() const { return m_stoppedHunt && !running(); }
    /// Makes the culprits alone as small as they go. Precondition: canMinify().
    void minify();
    bool canMinify() const;
    void findStages(const BlockRequest& block);
    void cancel();
    /// After the run that is going on; a pause ends by itself when the work is cancelled.
    void setPaused(bool paused);
    bool paused() const { return m_gate->closed(); }

    bool running() const { return m_job.running(); }
    Work work() const { return m_work; } ///< what runs, or ran last
    int startedCount() const { return m_job.startedCount(); }

    const std::shared_ptr<const BlockHunt>& found() const { return m_found; }
    const std::shared_ptr<const SmallCase>& small() const { return m_small; }
    const std::shared_ptr<const StagesResult>& stages() const { return m_stages; }
    /// What the newest hunt, or the newest search of a stage, is about: block and passes.
    const std::optional<BlockRequest>& block() const { return m_block; }
    const std::optional<BlockRequest>& stagesBlock() const { return m_stagesBlock; }
    /// Of the last work, when it failed.
    const std::optional<Error>& error() const { return m_error; }

signals:
    void questionChanged();
    void started(divdet::HuntSide::Work work);
    void huntEvent(const divdet::hunt::HuntEvent& event);
    void minifyEvent(const divdet::hunt::MinimiseEvent& event);
    /// A result, an error, or the end of a run that was stopped.
    void resultChanged();
    void runningChanged();
    void pausedChanged();
    void livePageRequested(); ///< what was found is set there

private:
    struct Outcome {
        std::shared_ptr<const BlockHunt> found;
        std::shared_ptr<const SmallCase> small;
        std::shared_ptr<const StagesResult> stages;
        std::optional<Error> error;
    };
    using Job = LatestJob<Outcome>;
    void begin(Work work, Job::Work job);
    void huntNow(bool resume);
    template <class Event>
    void post(const CancelToken& token, const Event& event, void (HuntSide::*signal)(const Event&));
    void finish(Outcome outcome);

    std::shared_ptr<Session> m_session;
    Question m_question;
    std::optional<BlockRequest> m_block, m_stagesBlock;
    Question m_asked; ///< by the newest hunt
    Work m_work = Work::none;
    bool m_stoppedHunt = false;
    std::shared_ptr<const BlockHunt> m_found;
    std::shared_ptr<const SmallCase> m_small;
    std::shared_ptr<const StagesResult> m_stages;
    std::optional<Error> m_error;
    QTemporaryDir m_folder; ///< of the state file
    int m_hunts = 0;
    std::shared_ptr<PauseGate> m_gate = std::make_shared<PauseGate>();
    Job m_job; ///< last: its destructor waits for the worker
};

} // namespace divdet
