#include "gui/recounter.h"

#include <QElapsedTimer>
#include <stdexcept>

#include "session/recount_tap.h"

namespace divdet {
namespace {
constexpr qint64 kFlushEvery = 100; ///< ms between the counts that views are told of
}

Recounter::Recounter(QObject* parent)
    : QObject(parent)
    , m_job(this, [](int) {}) {
    connect(&m_job, &LatestJobBase::runningChanged, this, &Recounter::runningChanged);
    connect(&m_job, &LatestJobBase::failed, this, &Recounter::failed);
}

void Recounter::start(std::shared_ptr<const Comparison> comparison, std::vector<std::size_t> pairs,
                      const Tolerance& tolerance) {
    m_job.cancel();
    m_job.request([this, comparison = std::move(comparison), pairs = std::move(pairs),
                   tolerance](const Progress& progress) {
        Counts batch;
        QElapsedTimer sinceFlush;
        sinceFlush.start();
        const auto flush = [&] {
            if (batch.empty()) return;
            QMetaObject::invokeMethod(
                this,
                [this, token = progress.token, comparison, batch] { deliver(token, comparison, batch); },
                Qt::QueuedConnection);
            batch.clear();
            sinceFlush.restart();
        };
        int counted = 0;
        for (const std::size_t i : pairs) {
            if (progress.cancelled()) return counted;
            // A pair that cannot be read again keeps its bounds: they are not wrong, only wide.
            try {
                if (auto exact = recountTap(comparison->pairs[i], tolerance, progress)) {
                    batch.push_back({i, *exact});
                    ++counted;
                }
            } catch (const std::exception& thrown) {
                flush();
                throw std::runtime_error(comparison->pairs[i].name + ": " + thrown.what());
            }
            if (sinceFlush.elapsed() >= kFlushEvery) flush();
        }
        flush();
        return counted;
    });
}

void Recounter::deliver(const CancelToken& token, const std::shared_ptr<const Comparison>& comparison,
                        const Counts& counts) {
    if (!token.cancelled()) emit counted(comparison, counts);
}

} // namespace divdet
