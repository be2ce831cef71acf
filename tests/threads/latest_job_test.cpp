// The job class between two threads, for the thread sanitizer: gui/tst_latest_job.cpp says what it does.
#include "jobs/latest_job.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace divdet {
namespace {

using namespace std::chrono_literals;
using Snapshot = std::shared_ptr<const std::vector<std::uint64_t>>;

Snapshot numbers(std::uint64_t first) {
    auto all = std::make_shared<std::vector<std::uint64_t>>(1000);
    std::iota(all->begin(), all->end(), first);
    return all;
}

/// Runs the event loop until `done` says so; false after 20 s.
template <class F>
bool eventually(const F& done) {
    QElapsedTimer timer;
    timer.start();
    while (!done()) {
        if (timer.elapsed() > 20000) return false;
        QCoreApplication::processEvents();
        std::this_thread::sleep_for(200us);
    }
    return true;
}

TEST(LatestJobThreads, SnapshotsGoThereAndBack) {
    QObject context;
    std::vector<std::uint64_t> shown;
    LatestJob<Snapshot> job(&context, [&](const Snapshot& s) { shown.push_back(s->back()); });
    for (std::uint64_t i = 0; i < 400; ++i) {
        job.request([given = numbers(i)](const Progress& progress) -> Snapshot {
            auto out = std::make_shared<std::vector<std::uint64_t>>(*given);
            for (std::uint64_t& x : *out) {
                ++x;
                progress(x, 5000, "element " + std::to_string(x));
            }
            return out;
        });
        if (i % 3 == 0) QCoreApplication::processEvents();
    }
    ASSERT_TRUE(eventually([&] { return !job.running(); }));
    ASSERT_FALSE(shown.empty());
    EXPECT_EQ(shown.back(), 399u + 1000u);
    EXPECT_EQ(job.deliveredCount(), job.startedCount());
}

TEST(LatestJobThreads, ReportsAreReadWhileTheWorkerWritesThem) {
    QObject context;
    int delivered = 0, reports = 0;
    std::size_t letters = 0;
    LatestJob<int> job(&context, [&](int) { ++delivered; });
    QObject::connect(&job, &LatestJobBase::progressed, &context, [&](quint64, quint64, const QString& what) {
        ++reports;
        letters += static_cast<std::size_t>(what.size());
    });
    job.request([](const Progress& progress) {
        for (std::uint64_t i = 1; i <= 300; ++i) {
            progress(i, 300, "tap " + std::to_string(i));
            std::this_thread::sleep_for(500us);
        }
        return 1;
    });
    ASSERT_TRUE(eventually([&] { return delivered == 1; }));
    EXPECT_GE(reports, 2);
    EXPECT_GE(letters, 10u);
}

TEST(LatestJobThreads, CancellingAndEndingWhileItRuns) {
    for (int round = 0; round < 50; ++round) {
        QObject context;
        int shown = 0;
        auto job = std::make_unique<LatestJob<Snapshot>>(&context, [&](const Snapshot&) { ++shown; });
        std::vector<std::uint64_t> written; // by the worker only, and by this thread once it has ended
        job->request([&written](const Progress& progress) -> Snapshot {
            while (!progress.cancelled()) written.push_back(written.size());
            return numbers(1);
        });
        job->request([](const Progress&) { return numbers(2); });
        std::this_thread::sleep_for(100us);
        if (round % 2) job->cancel();
        job.reset();
        written.push_back(0);
        QCoreApplication::processEvents();
        EXPECT_EQ(shown, 0);
    }
}

} // namespace
} // namespace divdet

int main(int count, char** words) {
    ::testing::InitGoogleTest(&count, words);
    const QCoreApplication application(count, words);
    return RUN_ALL_TESTS();
}
