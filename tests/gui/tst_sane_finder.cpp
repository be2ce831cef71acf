#include "workbench.h"

#include <QSignalSpy>

using namespace divdet;

/// The search in the background, with a backend as slow as a test wants.
class SaneFinderTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void findsWhileTheEventLoopRuns();
    void askedAgainItRunsOnce();
    void anotherRunStopsIt();
    void cancelledItStaysSo();
    void errorsAreKept();
    void everyRuleIsAnswered();
    void sanePairIsSetExactly();
};

namespace {

struct Slow {
    std::shared_ptr<SlowBackend> backend = std::make_shared<SlowBackend>();
    Document document{sessionWith(backend)};

    Slow() {
        RunSettings run = smallRun(document.settings().run);
        run.dims = {{"tokens", 8}, {"width", 32}, {"hidden", 64}};
        document.setRun(run, {});
        document.start();
    }
    bool done() { return document.live().complete() && settled(document); }
    std::shared_ptr<const SaneAnswer> answer() {
        return document.sane().answerFor(document.live().complete());
    }
};

} // namespace

void SaneFinderTest::findsWhileTheEventLoopRuns() {
    Slow s;
    QTRY_VERIFY_WITH_TIMEOUT(s.done(), 60000);
    QCOMPARE(s.document.sane().runsStarted(), 0); // nobody looks: nothing is run
    s.backend->delayMs = 4;
    QStringList progress;
    connect(&s.document.sane(), &SaneFinder::changed, this,
            [&] { progress << s.document.sane().progress(); });
    s.document.findSane();
    QVERIFY(s.document.sane().running());
    QVERIFY(!s.document.busy()); // the run itself is up to date
    QVERIFY(!s.answer());
    bool answered = false;
    QTimer::singleShot(0, this, [&answered] { answered = true; });
    QTRY_VERIFY(answered);
    QVERIFY(s.document.sane().running());
    QTRY_VERIFY_WITH_TIMEOUT(s.answer() != nullptr, 60000);
    const QString all = QString::number(s.answer()->runs->runs.size());
    QVERIFY2(progress.filter(QStringLiteral(" of ") + all).size() >= 2, qPrintable(progress.join(u';')));
    QVERIFY(s.document.sane().progress().isEmpty());
}

void SaneFinderTest::askedAgainItRunsOnce() {
    Slow s;
    QTRY_VERIFY_WITH_TIMEOUT(s.done(), 60000);
    s.document.findSane();
    s.document.findSane();
    QTRY_VERIFY_WITH_TIMEOUT(s.answer() != nullptr, 60000);
    s.document.findSane();
    s.document.setTolerance(Side::live, withRtol(s.document.settings().live, 1e-5), QStringLiteral("rtol"));
    QVERIFY(s.answer());
    QVERIFY(!s.document.sane().running());
    QCOMPARE(s.document.sane().runsStarted(), 1);
}

void SaneFinderTest::anotherRunStopsIt() {
    Slow s;
    QTRY_VERIFY_WITH_TIMEOUT(s.done(), 60000);
    const auto before = s.document.live().complete();
    s.backend->delayMs = 60000;
    s.document.findSane();
    QTest::qWait(20);
    QVERIFY(s.document.sane().running());
    s.backend->delayMs = 0;
    RunSettings run = s.document.settings().run;
    run.seed = 5;
    s.document.setRun(run, QStringLiteral("seed"));
    QTRY_VERIFY_WITH_TIMEOUT(!s.document.sane().running(), 5000);
    QVERIFY(!s.document.sane().answerFor(before));
    QTRY_VERIFY_WITH_TIMEOUT(s.done() && s.document.live().complete() != before, 60000);
    s.document.findSane();
    QTRY_VERIFY_WITH_TIMEOUT(s.answer() != nullptr, 60000);
    QCOMPARE(s.answer()->runs->request.seed, std::uint64_t(5));
    QVERIFY(!s.document.sane().answerFor(before));
}

/// A cancelled search does not come back until another run is there; nor does that of the result which a
/// cancelled run leaves standing.
void SaneFinderTest::cancelledItStaysSo() {
    Slow s;
    QTRY_VERIFY_WITH_TIMEOUT(s.done(), 60000);
    SaneFinder& sane = s.document.sane();
    s.backend->delayMs = 60000;
    s.document.findSane();
    QVERIFY(sane.running());
    bool told = false;
    connect(&sane, &SaneFinder::changed, this, [&] { told = !sane.running(); });
    s.document.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!sane.running(), 5000);
    QVERIFY(told); // who words what goes on hears of the end
    s.backend->delayMs = 0;
    s.document.findSane();
    QVERIFY(!sane.running());
    QCOMPARE(sane.runsStarted(), 1);

    const auto before = s.document.live().complete();
    s.document.rerun();
    QTRY_VERIFY_WITH_TIMEOUT(s.done() && s.document.live().complete() != before, 60000);
    s.document.findSane();
    QTRY_VERIFY_WITH_TIMEOUT(s.answer() != nullptr, 60000);
    QCOMPARE(sane.runsStarted(), 2);

    s.document.rerun();
    QTRY_VERIFY_WITH_TIMEOUT(s.done(), 60000);
    s.backend->delayMs = 60000;
    const auto standing = s.document.live().complete();
    RunSettings run = s.document.settings().run;
    run.seed = 6;
    s.document.setRun(run, QStringLiteral("seed"));
    s.document.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!s.document.busy(), 5000);
    QCOMPARE(s.document.live().complete(), standing);
    s.document.findSane();
    QVERIFY(!sane.running());
    QCOMPARE(sane.runsStarted(), 2);
}

void SaneFinderTest::errorsAreKept() {
    Slow s;
    QTRY_VERIFY_WITH_TIMEOUT(s.done(), 60000);
    auto broken = std::make_shared<LiveResult>(*s.document.live().complete());
    broken->request.block = "nonsense";
    s.document.sane().request(broken);
    QTRY_VERIFY_WITH_TIMEOUT(s.document.sane().error().has_value(), 10000);
    QVERIFY(s.document.sane().error()->code == ErrorCode::notFound);
    QVERIFY(!s.document.sane().answerFor(broken));
    s.document.findSane(); // and a good one is found after it
    QTRY_VERIFY_WITH_TIMEOUT(s.answer() != nullptr, 60000);
    QVERIFY(!s.document.sane().error());
}

void SaneFinderTest::everyRuleIsAnswered() {
    Slow s;
    QTRY_VERIFY_WITH_TIMEOUT(s.done(), 60000);
    s.document.findSane();
    QTRY_VERIFY_WITH_TIMEOUT(s.answer() != nullptr, 60000);
    for (const Rule rule : {Rule::allclose, Rule::either, Rule::numpy, Rule::torch})
        for (const bool equalNan : {false, true}) {
            const Tolerance& meant = s.answer()->at({rule, 1, 1, equalNan, {}}).rule;
            QVERIFY(meant.rule == frontierRule(rule));
            QCOMPARE(meant.equalNan, equalNan);
        }
}

void SaneFinderTest::sanePairIsSetExactly() {
    SaneLine line;
    line.middle = {3.3e-3, 1.6e-4};
    const ToleranceSettings linked;
    const ToleranceSettings on = withSane(linked, line);
    QVERIFY(on.linked);
    QCOMPARE(on.tolerance.rtol, 3.3e-3);
    QVERIFY(std::abs(on.tolerance.atol / linkedAtol(3.3e-3) - 1) < 1e-11);
    ToleranceSettings free = linked;
    free.linked = false;
    QCOMPARE(withSane(free, line).tolerance.atol, 1.6e-4);
    line.scale = 2;
    QVERIFY(!withSane(linked, line).linked);
    QCOMPARE(withSane(linked, line).tolerance.atol, 1.6e-4);
}

QTEST_MAIN(SaneFinderTest)
#include "tst_sane_finder.moc"
