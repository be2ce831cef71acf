#pragma once
#include <QObject>
#include <memory>
#include <vector>

#include "gui/judged.h"
#include "jobs/latest_job.h"

namespace divdet {

/// Exact counts of chosen pairs, read from their elements in a job of its own.
class Recounter : public QObject {
    Q_OBJECT
public:
    struct Count {
        std::size_t pair;
        AtTolerance exact;
    };
    using Counts = std::vector<Count>;

    explicit Recounter(QObject* parent = nullptr);

    /// Replaces whatever was being counted.
    void start(std::shared_ptr<const Comparison> comparison, std::vector<std::size_t> pairs,
               const Tolerance& tolerance);
    void cancel() { m_job.cancel(); }
    bool running() const { return m_job.running(); }
    int started() const { return m_job.startedCount(); }

signals:
    /// As they come, a few at a time.
    void counted(const std::shared_ptr<const divdet::Comparison>& comparison,
                 const divdet::Recounter::Counts& counts);
    void runningChanged(bool running);
    /// Reading threw: which pair, and what it said. Counts before it have come, the others keep their bounds.
    void failed(const QString& message);

private:
    void deliver(const CancelToken& token, const std::shared_ptr<const Comparison>& comparison,
                 const Counts& counts);

    LatestJob<int> m_job; ///< last: its destructor waits for the worker
};

} // namespace divdet
