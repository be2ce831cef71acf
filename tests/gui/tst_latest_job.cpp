#include "gui_test.h"
#include "jobs/latest_job.h"
#include <QSemaphore>
#include <QSignalSpy>
#include <QThread>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

using namespace divdet;
using namespace std::chrono_literals;

class TestLatestJob : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void newestReplacesWaiting();
    void deliversOnTheGuiThread();
    void cancelDropsBothJobs();
    void requestAfterCancelRuns();
    void deadContextDropsTheResult();
    void destructionStopsTheRunningJob();
    void receiverMayDeleteTheJob();
    void progressIsThrottledAndTheLastReportComes();
    void theResultComesAfterWhatTheWorkPosted();
    void throwingWorkIsReported();
    void workThatThrowsWithoutAWordIsReportedToo();
    void moveOnlyResults();
};

void TestLatestJob::newestReplacesWaiting() {
    QList<int> shown;
    LatestJob<int> job(this, [&](int result) { shown << result; });
    QSignalSpy running(&job, &LatestJobBase::runningChanged);
    for (int i = 0; i < 300; ++i) {
        job.request([i](const Progress&) {
            std::this_thread::sleep_for(20ms);
            return i;
        });
        if (i % 10 == 0) QTest::qWait(1);
    }
    QVERIFY(job.running());
    QTRY_VERIFY(!job.running());
    QCOMPARE(shown.last(), 299);
    QCOMPARE(shown.first(), 0); // the running one finishes and is shown
    QVERIFY2(job.startedCount() < 30, qPrintable(QString::number(job.startedCount())));
    QCOMPARE(job.deliveredCount(), job.startedCount());
    QCOMPARE(shown.size(), job.startedCount());
    QVERIFY(std::is_sorted(shown.begin(), shown.end()));
    QCOMPARE(running.size(), 2); // once on, once off
}

void TestLatestJob::deliversOnTheGuiThread() {
    QThread* worker = nullptr;
    QThread* receiver = nullptr;
    LatestJob<int> job(this, [&](int) { receiver = QThread::currentThread(); });
    job.request([&](const Progress&) {
        worker = QThread::currentThread();
        return 1;
    });
    QTRY_COMPARE(receiver, thread());
    QVERIFY(worker != thread());
}

void TestLatestJob::cancelDropsBothJobs() {
    int shown = 0;
    QSemaphore started;
    LatestJob<int> job(this, [&](int) { ++shown; });
    QSignalSpy cancelled(&job, &LatestJobBase::cancelled);
    job.request([&](const Progress& progress) {
        started.release();
        while (!progress.cancelled()) std::this_thread::sleep_for(1ms);
        return 1;
    });
    job.request([](const Progress&) { return 2; });
    QVERIFY(job.waiting());
    started.acquire();
    job.cancel();
    job.cancel(); // a second time changes nothing
    QVERIFY(!job.waiting());
    QTRY_VERIFY(!job.running());
    QCOMPARE(shown, 0);
    QCOMPARE(job.startedCount(), 1);
    QCOMPARE(cancelled.size(), 1);
}

void TestLatestJob::requestAfterCancelRuns() {
    QList<int> shown;
    LatestJob<int> job(this, [&](int result) { shown << result; });
    job.request([](const Progress& progress) {
        while (!progress.cancelled()) std::this_thread::sleep_for(1ms);
        return 1;
    });
    job.cancel();
    job.request([](const Progress& progress) { return progress.cancelled() ? -1 : 2; });
    QTRY_COMPARE(shown, QList<int>{2});
    QCOMPARE(job.deliveredCount(), 1);
}

void TestLatestJob::deadContextDropsTheResult() {
    int shown = 0;
    auto context = std::make_unique<QObject>();
    LatestJob<int> job(context.get(), [&](int) { ++shown; });
    job.request([](const Progress&) {
        std::this_thread::sleep_for(20ms);
        return 1;
    });
    context.reset();
    QTRY_VERIFY(!job.running());
    QCOMPARE(shown, 0);
    QCOMPARE(job.startedCount(), 1);
    QCOMPARE(job.deliveredCount(), 0);
}

void TestLatestJob::destructionStopsTheRunningJob() {
    std::atomic<bool> ended = false;
    int shown = 0;
    QSemaphore started;
    auto job = std::make_unique<LatestJob<int>>(this, [&](int) { ++shown; });
    job->request([&](const Progress& progress) {
        started.release();
        while (!progress.cancelled()) {
            progress(1, 2, "block");
            std::this_thread::sleep_for(1ms);
        }
        ended = true;
        return 1;
    });
    started.acquire();
    QElapsedTimer timer;
    timer.start();
    job.reset();
    QVERIFY(ended); // nothing of the worker outlives the object
    QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
    QTest::qWait(5);
    QCOMPARE(shown, 0);
}

void TestLatestJob::receiverMayDeleteTheJob() {
    std::unique_ptr<LatestJob<int>> job;
    int shown = 0;
    job = std::make_unique<LatestJob<int>>(this, [&](int) {
        ++shown;
        job.reset();
    });
    job->request([](const Progress&) { return 1; });
    QTRY_COMPARE(shown, 1);
    QVERIFY(!job);
}

void TestLatestJob::progressIsThrottledAndTheLastReportComes() {
    int shown = 0;
    LatestJob<int> job(this, [&](int) { ++shown; });
    QSignalSpy progressed(&job, &LatestJobBase::progressed);
    job.request([](const Progress& progress) {
        for (std::uint64_t i = 1; i <= 20000; ++i) progress(i, 20000, "tap");
        std::this_thread::sleep_for(5ms);
        return 1;
    });
    QTRY_COMPARE(shown, 1);
    QVERIFY(progressed.size() >= 1);
    QVERIFY2(progressed.size() < 20, qPrintable(QString::number(progressed.size())));
    QCOMPARE(progressed.last().at(0).toULongLong(), 20000ULL);
    QCOMPARE(progressed.last().at(2).toString(), "tap");
}

/// Work posts snapshots of its own to the GUI thread; a report that waits there before them must not carry
/// the result past them.
void TestLatestJob::theResultComesAfterWhatTheWorkPosted() {
    QObject receiver;
    QStringList order;
    LatestJob<int> job(&receiver, [&](int) { order << QStringLiteral("result"); });
    std::atomic<bool> ended = false;
    job.request([&](const Progress& progress) {
        progress(1, 1, "first");
        QMetaObject::invokeMethod(
            &receiver, [&] { order << QStringLiteral("snapshot"); }, Qt::QueuedConnection);
        ended = true;
        return 1;
    });
    while (!ended) std::this_thread::sleep_for(1ms); // all of it waits before the first event is taken
    std::this_thread::sleep_for(50ms);
    QTRY_COMPARE(order.size(), 2);
    QCOMPARE(order, QStringList({QStringLiteral("snapshot"), QStringLiteral("result")}));
}

void TestLatestJob::throwingWorkIsReported() {
    LatestJob<int> job(this, [](int) { QFAIL("a result without a result"); });
    QSignalSpy failed(&job, &LatestJobBase::failed);
    job.request([](const Progress&) -> int { throw std::runtime_error("no such block"); });
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed.first().first().toString(), "no such block");
    QTRY_VERIFY(!job.running());
}

void TestLatestJob::workThatThrowsWithoutAWordIsReportedToo() {
    LatestJob<int> job(this, [](int) { QFAIL("a result without a result"); });
    QSignalSpy failed(&job, &LatestJobBase::failed);
    job.request([](const Progress&) -> int { throw std::runtime_error(""); });
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(!failed.first().first().toString().isEmpty());
    job.request([](const Progress&) -> int { throw 7; });
    QTRY_COMPARE(failed.size(), 2);
    QVERIFY(!failed.last().first().toString().isEmpty());
    QTRY_VERIFY(!job.running());
}

void TestLatestJob::moveOnlyResults() {
    int got = 0;
    LatestJob<std::unique_ptr<int>> job(this, [&](std::unique_ptr<int> result) { got = *result; });
    job.request([](const Progress&) { return std::make_unique<int>(7); });
    QTRY_COMPARE(got, 7);
}

QTEST_MAIN(TestLatestJob)
#include "tst_latest_job.moc"
