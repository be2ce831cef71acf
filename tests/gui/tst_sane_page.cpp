#include "workbench.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QUndoStack>

#include "gui/actions.h"
#include "gui/main_window.h"
#include "gui/screenshot.h"
#include "plot_samples.h"
#include "plots/qcp.h"
#include "plots/tolerance_plot.h"
#include "views/live_page.h"
#include "views/notes.h"
#include "views/plot_area.h"
#include "views/widgets/tol_slider.h"
#include "views/widgets/verdict_block.h"

using namespace divdet;

/// The sane window where it is seen: in the plane, among the presets, in the note beside the verdict.
class SanePageTest : public GuiTest {
    Q_OBJECT
private slots:
    void initTestCase();
    void init() { failOnWarnings(); }
    void cleanupTestCase() { m_window.reset(); }
    void saneTolerance();
    void saneToleranceFollowsThePasses();
    void searchCanBeCancelled();
    void saneWindowIsShadedAndItsMarkPicked();

private:
    template <class T>
    T* find(const char* name) {
        return m_window->findChild<T*>(QString::fromLatin1(name));
    }
    VerdictBlock* verdict() { return find<VerdictBlock>("verdictBlock"); }
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(settled(m_window->document()) && m_window->document().live().complete(),
                                 90000);
    }
    void reset() {
        m_window->document().takeSettings(m_start);
        settle();
    }

    std::unique_ptr<MainWindow> m_window;
    Settings m_start;
};

void SanePageTest::initTestCase() {
    m_window = std::make_unique<MainWindow>(twinSession());
    m_window->resize(1440, 900);
    m_window->show();
    m_window->document().start();
    m_start = m_window->document().settings();
    settle();
}

/// Found without being asked for; one click sets it, and no slider starts it again.
void SanePageTest::saneTolerance() {
    Document& document = m_window->document();
    const auto answer = [&] { return document.sane().answerFor(document.live().complete()); };
    QTRY_VERIFY_WITH_TIMEOUT(answer() != nullptr, 60000);
    const SaneScope& scope = answer()->chosen(document.settings().live.tolerance);
    QVERIFY(scope.window.open());
    const SaneLine line = *scope.window.best;
    QVERIFY(line.caught > 3);

    auto* plane = find<TolerancePlot>("tolerancePlot");
    QTRY_VERIFY(plane->scene().sane && plane->scene().sane->line);
    auto* button = find<QPushButton>("preset_sane");
    QVERIFY(button->isEnabled());
    QVERIFY2(button->toolTip().contains(QStringLiteral("No tolerance separates")),
             qPrintable(button->toolTip()));
    find<QPushButton>("preset_fp32")->click();
    QVERIFY(!button->isChecked());
    const int runs = document.runsStarted(), scans = document.scansStarted(),
              sane = document.sane().runsStarted(), judgements = document.judgements();
    button->click();
    QVERIFY(button->isChecked());
    QCOMPARE(document.judgements(), judgements + 1);
    QCOMPARE(document.settings().live.tolerance.rtol, line.middle.rtol);
    QCOMPARE(document.settings().live.linked, line.onPath());
    QCOMPARE(verdict()->content().word, QStringLiteral("WITHIN"));
    // What is set does what is promised: honest runs pass and the caught bugs fail.
    const Tolerance now = document.settings().live.tolerance;
    const auto verdictOf = [&](std::size_t run) {
        return judge(*answer()->runs->runs[run].comparison, now).verdict;
    };
    for (const std::size_t i : scope.honest) QVERIFY(verdictOf(i) == Verdict::within);
    for (std::size_t i = 0; i < scope.faults.size(); ++i)
        if (scope.window.faults[i].separation == Separation::caught)
            QVERIFY(verdictOf(scope.faults[i]) == Verdict::outside);

    auto* slider = find<TolSlider>("rtolSlider");
    const auto at = [slider](double value) { return QPoint(qRound(slider->xOf(value)), 10); };
    QTest::mousePress(slider, Qt::LeftButton, {}, at(line.middle.rtol));
    for (double rtol : {5e-3, 1e-4, 1e-6}) QTest::mouseMove(slider, at(rtol));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, at(1e-6));
    QTRY_VERIFY_WITH_TIMEOUT(settled(document), 30000);
    QVERIFY(!button->isChecked());
    QCOMPARE(document.runsStarted(), runs);
    QCOMPARE(document.scansStarted(), scans);
    QCOMPARE(document.sane().runsStarted(), sane);
    document.undoStack()->undo();
    QVERIFY(button->isChecked()); // the whole drag is one step
    reset();
}

void SanePageTest::saneToleranceFollowsThePasses() {
    Document& document = m_window->document();
    const auto answer = [&] { return document.sane().answerFor(document.live().complete()); };
    RunSettings run = document.settings().run;
    run.passes = {*lower::parsePass("reassociate")};
    document.setRun(run, QStringLiteral("reassociate"));
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(answer() != nullptr, 60000);
    const SaneWindow& alone = answer()->chosen(document.settings().live.tolerance).window;
    QVERIFY(alone.open());
    QCOMPARE(alone.best->caught, alone.faults.size()); // reassociation needs less than every bug
    const auto note = [&] {
        for (const Note& n : liveNotes(document))
            if (n.id == QLatin1String("window")) return n;
        return Note{};
    };
    QVERIFY2(note().text.contains(QStringLiteral("9 of the 9 bugs")), qPrintable(note().text));
    QVERIFY(!note().text.contains(QStringLiteral("misses")));
    note().act();
    QCOMPARE(document.settings().live.tolerance.rtol, alone.best->middle.rtol);

    run.passes = {*lower::parsePass("int4-weights"), *lower::parsePass("split-k-bf16")};
    document.setRun(run, QStringLiteral("int4"));
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(answer() != nullptr, 60000);
    QVERIFY2(note().text.contains(QStringLiteral("Of those that are on it misses “Split-K through BF16”")),
             qPrintable(note().text));
    reset();
}

/// The search starts by itself: Esc ends it, what is said of it follows, and it stays ended until the next
/// run.
void SanePageTest::searchCanBeCancelled() {
    auto backend = std::make_shared<SlowBackend>();
    MainWindow window(sessionWith(backend));
    Document& document = window.document();
    SaneFinder& sane = document.sane();
    window.resize(1440, 900);
    document.setRun(smallRun(document.settings().run), {});
    auto* button = window.findChild<QPushButton*>(QStringLiteral("preset_sane"));
    const auto tipSays = [button](const char* words) {
        return button->toolTip().contains(QString::fromLatin1(words));
    };
    QVERIFY2(!tipSays("is being run") && tipSays("after each run"), qPrintable(button->toolTip()));
    const auto slowed = connect(&sane, &SaneFinder::changed, &window, [&] {
        if (sane.running()) backend->delayMs = 60000;
    });
    window.show();
    document.start();
    QTRY_VERIFY_WITH_TIMEOUT(sane.running() && settled(document), 60000);
    QAction* cancel = window.findChild<Actions*>()->cancel;
    QVERIFY(!document.busy());
    QVERIFY(cancel->isEnabled());
    QVERIFY2(tipSays("is being run alone"), qPrintable(button->toolTip()));

    // A picture waits for what it shows.
    const auto show = [&](const QStringList& plots) { window.livePage()->plots()->showPlots(plots); };
    const QStringList both{QStringLiteral("faults"), QStringLiteral("tolerance")};
    show(both);
    QVERIFY(!waitUntilSettled(window, 300));
    show({QStringLiteral("faults")});
    QVERIFY(waitUntilSettled(window, 10000));
    QVERIFY(sane.running());
    show(both);
    window.showPage(Page::compare);
    QVERIFY(waitUntilSettled(window, 10000));
    window.showPage(Page::live);
    QVERIFY(sane.running());

    QTest::keyClick(&window, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!sane.running(), 5000);
    QVERIFY(!cancel->isEnabled());
    QVERIFY2(!tipSays("is being run") && tipSays("F5"), qPrintable(button->toolTip()));
    window.showPage(Page::compare);
    window.showPage(Page::live);
    show({QStringLiteral("faults")});
    show(both);
    QVERIFY(waitUntilSettled(window, 10000));
    QCOMPARE(sane.runsStarted(), 1);

    disconnect(slowed);
    backend->delayMs = 0;
    QTest::keyClick(&window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(sane.answerFor(document.live().complete()) != nullptr, 60000);
    QCOMPARE(sane.runsStarted(), 2);
    QVERIFY(button->isEnabled());
}

void SanePageTest::saneWindowIsShadedAndItsMarkPicked() {
    TolerancePlot plane;
    const auto live = samples::liveOf(false);
    const auto sane = samples::saneOf(*live);
    plane.setData(live);
    plane.setTolerance({Rule::allclose, 1e-5, 1e-8, false, {}}, true);
    plane.resize(420, 520);
    plane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plane));
    QTRY_VERIFY(plane.replots() > 0);
    QTest::qWait(0);
    const int before = plane.replots();
    plane.setSane(sane);
    QTRY_COMPARE(plane.replots(), before + 1);
    plane.setSane(sane); // the same: nothing to draw
    QTest::qWait(30);
    QCOMPARE(plane.replots(), before + 1);
    bool named = false;
    for (const LegendItem& item : plane.legend())
        named = named || item.text == QString("sane window: 1 of 2 bugs fail");
    QVERIFY(named);
    QVERIFY(plane.csv().contains("sane window from,window,"));
    QVERIFY2(plane.accessibleDescription().contains("sane tolerance: rtol"),
             qPrintable(plane.accessibleDescription()));

    const TolerancePair middle = plane.scene().sane->line->middle;
    QCustomPlot& plot = plane.customPlot();
    const QPointF mark(plot.xAxis->coordToPixel(std::log10(middle.rtol)),
                       plot.yAxis->coordToPixel(std::log10(middle.atol)));
    QSignalSpy picked(&plane, &TolerancePlot::presetPicked);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, mark.toPoint());
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked[0][0].toString(), QString("sane"));

    // Hatched inside, plain above the bug's curve.
    const auto changes = [&](double atol) {
        const QImage image = plane.image().toImage();
        QSet<QRgb> colours;
        const int y = qRound(plot.yAxis->coordToPixel(std::log10(atol)));
        for (int dx = -9; dx <= 9; ++dx)
            colours.insert(image.pixel(qRound(plot.xAxis->coordToPixel(-4.6)) + dx, y));
        return colours.size();
    };
    const double low = *curveAtol(plane.scene().windowLow, std::pow(10, -4.6)),
                 high = *curveAtol(plane.scene().windowHigh, std::pow(10, -4.6));
    QVERIFY(changes(std::sqrt(low * high)) > changes(high * 3));

    // A moved tolerance looks up nothing anew.
    const auto windowHigh = plane.scene().windowHigh;
    const int drawn = plane.replots();
    plane.setTolerance({Rule::allclose, 2e-5, 1e-8, false, {}}, true);
    QTRY_COMPARE(plane.replots(), drawn + 1);
    QVERIFY(plane.scene().windowHigh == windowHigh);
    // New data without an answer: the old window is gone with the old data.
    plane.setData(samples::liveOf(true));
    QVERIFY(!plane.scene().sane);
}

QTEST_MAIN(SanePageTest)
#include "tst_sane_page.moc"
