#pragma once
#include <QObject>
#include <memory>
#include <optional>

#include "jobs/latest_job.h"
#include "session/determinism/lab.h"

namespace divdet {

/// The determinism lab of the running block: what it is asked, and how far it has come.
class DeterminismSide : public QObject {
    Q_OBJECT
public:
    /// What the form says; the block is that of the live page.
    struct Question {
        std::vector<Variation> sources{std::begin(kVariations), std::end(kVariations)};
        int runs = 0;            ///< 0: as many as suit the block
        int pairs = 30;          ///< timed; 0: the cost is not measured
        bool withPasses = false; ///< those of the live page, else none

        friend bool operator==(const Question&, const Question&) = default;
    };

    explicit DeterminismSide(std::shared_ptr<Session> session, QObject* parent = nullptr);

    const Question& question() const { return m_question; }
    void setQuestion(const Question& question);
    LabRequest request(const BlockRequest& block) const;
    void run(const BlockRequest& block);
    void cancel();

    bool running() const { return m_job.running(); }
    int startedCount() const { return m_job.startedCount(); }
    /// What is known so far; complete once all of it is. Null before the first part and after an error.
    const std::shared_ptr<const LabResult>& result() const { return m_result; }
    const std::optional<Error>& error() const { return m_error; }
    bool stopped() const { return m_stopped; }

signals:
    void questionChanged();
    void resultChanged(); ///< a further part, an error, or that it was stopped
    void runningChanged();
    void progressed(quint64 done, quint64 total, const QString& what);

private:
    using Outcome = Result<std::shared_ptr<const LabResult>>;
    void take(std::shared_ptr<const LabResult> result);
    void finish(Outcome outcome);

    std::shared_ptr<Session> m_session;
    Question m_question;
    std::shared_ptr<const LabResult> m_result;
    std::optional<Error> m_error;
    bool m_stopped = false;
    LatestJob<Outcome> m_job; ///< last: its destructor waits for the worker
};

} // namespace divdet
