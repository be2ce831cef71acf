#include "workbench.h"

#include <QSignalSpy>
#include <QUndoStack>

#include "gui/options.h"

using namespace divdet;

/// The hub without widgets: what starts a job, what only judges, and what undo restores.
class DocumentTest : public GuiTest {
    Q_OBJECT
private slots:
    void startsWithinOnTheDefaultBlock();
    void toleranceNeverRuns();
    void linkedAtolFollows();
    void undoMergesAGesture();
    void newestRequestWins();
    void countsBecomeExactAfterRest();
    void noCountWhileHeld();
    void cancelKeepsOldResult();
    void passesThatDoNotFitAreKept();
    void settingsFromText();
};

void DocumentTest::startsWithinOnTheDefaultBlock() {
    Document document(twinSession());
    document.start();
    QTRY_VERIFY_WITH_TIMEOUT(document.live().complete() != nullptr, 60000);
    QVERIFY(document.judged(Side::live).judgement()->verdict == Verdict::within);
    QCOMPARE(document.runsStarted(), 1);
    QCOMPARE(document.scansStarted(), 1);
    QCOMPARE(document.judgements(), 0);
    QCOMPARE(document.live().complete()->request.passes.size(), std::size_t(3));
}

void DocumentTest::toleranceNeverRuns() {
    Document document(twinSession());
    RunSettings run = smallRun(document.settings().run);
    document.setRun(run, {});
    document.start();
    QTRY_VERIFY_WITH_TIMEOUT(document.live().complete() != nullptr, 60000);
    QSignalSpy changes(&document, &Document::toleranceChanged);
    const int runs = document.runsStarted();
    document.beginGesture();
    for (double rtol : {1e-3, 1e-4, 1e-5, 1e-6})
        document.setTolerance(Side::live, withRtol(document.settings().live, rtol), QStringLiteral("rtol"));
    QCOMPARE(document.judgements(), 4);
    QCOMPARE(changes.size(), 4);
    QCOMPARE(document.runsStarted(), runs);
    QCOMPARE(document.scansStarted(), runs);
    QCOMPARE(document.judged(Side::live).judgement()->tolerance.rtol, 1e-6);
    QVERIFY(document.judged(Side::live).judgement()->verdict == Verdict::outside);
    document.endGesture();
}

void DocumentTest::linkedAtolFollows() {
    ToleranceSettings t;
    t = withRtol(t, 1e-5);
    QCOMPARE(t.tolerance.atol, 1e-8);
    t = withAtol(t, 1e-3);
    QCOMPARE(t.tolerance.rtol, 1e-2);
    t = withRtol(withLink(t, false), 0.5);
    QCOMPARE(t.tolerance.atol, 1e-3);
    t = withLink(withRtol(withLink(t, false), 1e-5), true);
    QCOMPARE(t.tolerance.atol, 1e-8);
    QCOMPARE(presetAt(t.tolerance), findPreset("fp32"));
    t = withPreset(t, *findPreset("torch-bf16"));
    QVERIFY(!t.linked); // it does not lie on the path
    QCOMPARE(withPreset(ToleranceSettings{}, *findPreset("fp32")).linked, true);
    QCOMPARE(withAtol(ToleranceSettings{}, 0).tolerance.rtol, 0.0);
}

void DocumentTest::undoMergesAGesture() {
    Document document(twinSession());
    document.setRun(smallRun(document.settings().run), {});
    document.start();
    QCOMPARE(document.undoStack()->count(), 0); // settings before the start are no steps
    document.beginGesture();
    for (double rtol : {5e-3, 2e-3, 1e-3})
        document.setTolerance(Side::live, withRtol(document.settings().live, rtol), QStringLiteral("rtol"));
    document.endGesture();
    QCOMPARE(document.undoStack()->count(), 1);
    document.beginGesture();
    document.setTolerance(Side::live, withRtol(document.settings().live, 1e-5), QStringLiteral("rtol"));
    document.endGesture();
    QCOMPARE(document.undoStack()->count(), 2);
    document.undoStack()->undo();
    QCOMPARE(document.settings().live.tolerance.rtol, 1e-3);
    document.undoStack()->undo();
    QCOMPARE(document.settings().live.tolerance.rtol, 1e-2);
    document.undoStack()->redo();
    QCOMPARE(document.settings().live.tolerance.rtol, 1e-3);
    QTRY_VERIFY_WITH_TIMEOUT(settled(document), 60000);
}

void DocumentTest::newestRequestWins() {
    auto backend = std::make_shared<SlowBackend>();
    Document document(sessionWith(backend));
    document.setRun(smallRun(document.settings().run), {});
    backend->delayMs = 20;
    document.start();
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RunSettings run = document.settings().run;
        run.seed = seed;
        document.setRun(run, QStringLiteral("seed"));
    }
    backend->delayMs = 0;
    QTRY_VERIFY_WITH_TIMEOUT(settled(document), 60000);
    QCOMPARE(document.runsStarted(), 2); // the first one finished, eighteen were replaced
    QCOMPARE(document.live().complete()->request.seed, std::uint64_t(20));
}

void DocumentTest::countsBecomeExactAfterRest() {
    Document document(twinSession());
    document.setRun(smallRun(document.settings().run), {});
    document.start();
    QTRY_VERIFY_WITH_TIMEOUT(document.live().complete() != nullptr && settled(document), 60000);
    QCOMPARE(document.recounts(), 0); // exact from the scan
    document.setTolerance(Side::live, withRtol(document.settings().live, 1.3e-6), QStringLiteral("rtol"));
    QVERIFY(!document.judged(Side::live).inexact().empty());
    QSignalSpy counts(&document, &Document::countsChanged);
    QTRY_VERIFY_WITH_TIMEOUT(counts.size() > 0 && settled(document), 60000);
    QVERIFY(document.judged(Side::live).inexact().empty());
    QCOMPARE(document.recounts(), 1);
    QCOMPARE(document.scansStarted(), 1);
}

void DocumentTest::noCountWhileHeld() {
    Document document(twinSession());
    document.setRun(smallRun(document.settings().run), {});
    document.start();
    QTRY_VERIFY_WITH_TIMEOUT(document.live().complete() != nullptr && settled(document), 60000);
    document.beginGesture();
    document.setTolerance(Side::live, withRtol(document.settings().live, 1.3e-6), QStringLiteral("rtol"));
    QTest::qWait(Document::restTime + 200);
    QCOMPARE(document.recounts(), 0);
    document.endGesture();
    QTRY_COMPARE_WITH_TIMEOUT(document.recounts(), 1, 10000);
}

void DocumentTest::cancelKeepsOldResult() {
    auto backend = std::make_shared<SlowBackend>();
    Document document(sessionWith(backend));
    document.setRun(smallRun(document.settings().run), {});
    document.start();
    QTRY_VERIFY_WITH_TIMEOUT(document.live().complete() != nullptr && settled(document), 60000);
    const auto before = document.live().complete();
    backend->delayMs = 60000;
    RunSettings run = document.settings().run;
    run.seed = 7;
    document.setRun(run, QStringLiteral("seed"));
    bool answered = false;
    QTimer::singleShot(0, &document, [&answered] { answered = true; });
    QTRY_VERIFY(answered); // the event loop runs while the work does
    QVERIFY(document.live().running());
    document.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!document.live().running(), 5000);
    QCOMPARE(document.live().complete(), before);
}

void DocumentTest::passesThatDoNotFitAreKept() {
    Document document(twinSession());
    document.start();
    RunSettings run = document.settings().run;
    const std::size_t passes = run.passes.size();
    run.block = "reduction";
    document.setRun(run, QStringLiteral("block"));
    QTRY_VERIFY_WITH_TIMEOUT(settled(document) && document.live().complete()->request.block == "reduction",
                             60000);
    QVERIFY(!document.live().error());
    QVERIFY(document.live().complete()->request.passes.size() < passes);
    QCOMPARE(document.settings().run.passes.size(), passes);
}

void DocumentTest::settingsFromText() {
    Settings s;
    const auto set = [&s](const char* key, const char* value) {
        return applySetting(s, QString::fromLatin1(key), QString::fromLatin1(value));
    };
    QVERIFY(set("rtol", "1e-5"));
    QCOMPARE(s.live.tolerance.atol, 1e-8);
    QCOMPARE(s.compare.tolerance.atol, 1e-8);
    QVERIFY(!s.compareAutomatic);
    QVERIFY(set("pass", "none") && set("pass", "tf32") && set("pass", "int8=per-tensor") &&
            set("pass", "reassociate"));
    QCOMPARE(s.run.passes.size(), std::size_t(3));
    QCOMPARE(s.run.passes.front().id, std::string("reassociate")); // the order of the list
    QVERIFY(set("pass", "-tf32"));
    QCOMPARE(s.run.passes.size(), std::size_t(2));
    QVERIFY(set("block", "linear") && set("dim", "tokens=4") && set("seed", "3") && set("reference", "fp64"));
    QCOMPARE(s.run.dims.at("tokens"), std::int64_t(4));
    QVERIFY(set("run-number", "4") && !set("run-number", "-1"));
    QCOMPARE(s.run.request({}).runNumber, std::uint64_t(4));
    QVERIFY(!set("rtol", "1e-"));
    QVERIFY(!set("pass", "tf23"));
    QVERIFY(!set("dim", "depth=4"));
    QVERIFY(!set("link", "maybe"));

    QVERIFY(!parseOptions({QStringLiteral("--set"), QStringLiteral("colour=red")}));
    const auto unknown = parseOptions({QStringLiteral("--set"), QStringLiteral("colour=red")});
    QVERIFY(unknown.error().hint.find("rtol") != std::string::npos);
    QVERIFY(!parseOptions({QStringLiteral("--size"), QStringLiteral("10x10")}));
    QVERIFY(!parseOptions({QStringLiteral("--page"), QStringLiteral("hunts")}));
    const char* const pages[] = {"live",   "compare", "advisor",     "hunt",
                                 "stages", "logs",    "determinism", "triage"}; // as in Page
    for (int i = 0; i < 8; ++i)
        QCOMPARE(parseOptions({QStringLiteral("--page"), QString::fromLatin1(pages[i])})->page,
                 std::optional(static_cast<Page>(i)));
    QVERIFY(!parseOptions({QStringLiteral("--screenshot")}));
    const auto both =
        parseOptions({QStringLiteral("a.npz"), QStringLiteral("--set=rtol=1e-3"), QStringLiteral("--set"),
                      QStringLiteral("atol=0.5"), QStringLiteral("--size=1100x700")});
    QVERIFY(both);
    QCOMPARE(both->settings.first().first, QStringLiteral("link"));
    QCOMPARE(both->size, QSize(1100, 700));
    QCOMPARE(both->files, QStringList{QStringLiteral("a.npz")});
}

QTEST_MAIN(DocumentTest)
#include "tst_document.moc"
