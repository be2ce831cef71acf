#include "workbench.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

#include "gui/main_window.h"
#include "gui/number_format.h"
#include "plot_mouse.h"
#include "plot_samples.h"
#include "plots/histogram_plot.h"
#include "plots/map_plot.h"
#include "plots/qcp.h"
#include "views/compare_page.h"
#include "views/element_inspector.h"
#include "views/live_page.h"
#include "views/plot_area.h"
#include "views/tap_plots.h"
#include "views/verdict_pane.h"
#include "views/widgets/plot_card.h"

using namespace divdet;

/// Histogram and map in both pages of the window: what they show, when they read, and what is let go.
class TapPlotsWindowTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void cleanup() { Theme::apply(*qApp, ThemeChoice::light); }
    void mapOfNothing();
    void liveHistogram();
    void liveMap();
    void mapFollowsTheTolerance();
    void inspectorFollowsTheRule();
    void cardShowsThePlace();
    void comparePage();
    void slowFilesDoNotBlock();
    void workThatThrowsIsSaid();
    void readsOfOtherTapsAreLetGo();
};

namespace {

struct Bench {
    std::shared_ptr<SlowBackend> backend = std::make_shared<SlowBackend>();
    MainWindow window{sessionWith(backend)};
    explicit Bench(const char* pass = nullptr) {
        window.resize(1440, 900);
        RunSettings run = smallRun(window.document().settings().run);
        if (pass) run.passes = {*lower::parsePass(pass)};
        window.document().setRun(run, {});
        window.show();
    }
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(settled(window.document()) && !window.reading(), 60000);
        QCoreApplication::processEvents();
    }
    TapPlots& live() { return *window.livePage()->tapPlots(); }
};

/// The elements of a live tap come from this from now on; nothing else reads the result meanwhile.
void loadBy(MainWindow& window, const char* tap, std::function<Result<PairData>()> load) {
    for (const TapPair& pair : window.document().live().judged().comparison()->pairs)
        if (pair.name == tap) const_cast<TapPair&>(pair).load = load;
}

} // namespace

/// A tap without elements says so, and keys change nothing of that.
void TapPlotsWindowTest::mapOfNothing() {
    QTemporaryDir files;
    Bench b;
    QStringList paths;
    for (const char* name : {"reference.npz", "candidate.npz"}) {
        paths << files.path() + QLatin1Char('/') + QString::fromLatin1(name);
        const std::vector<NamedTensor> taps = {{"none", TensorBuilder(DType::f32, {0, 3, 4}).finish()},
                                               {"some", ramp(10, 0)}};
        QVERIFY(writeNpz(paths.last().toStdString(), taps));
    }
    b.window.openFiles(paths);
    b.settle();
    b.window.selection(Side::compare).select(QStringLiteral("none"));
    b.window.findChild<QPushButton*>(QStringLiteral("compareMapButton"))->click();
    b.settle();
    MapPlot* plot = b.window.comparePage()->tapPlots()->map();
    QVERIFY2(plot->problem().contains(QStringLiteral("no elements")), qPrintable(plot->problem()));
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_PageUp, Qt::Key_PageDown})
        QTest::keyClick(plot, key);
    b.settle();
    QVERIFY2(plot->problem().contains(QStringLiteral("no elements")), qPrintable(plot->problem()));
}

void TapPlotsWindowTest::liveHistogram() {
    Bench b;
    b.window.livePage()->plots()->showPlots({QStringLiteral("histogram")});
    b.window.document().start();
    b.settle();
    const auto& comparison = b.window.document().live().judged().comparison();
    const HistogramScene& scene = b.live().histogram()->scene();
    QVERIFY(scene.quantity == HistogramScene::Quantity::z);
    const TapPair& out = comparison->pairs.back();
    QVERIFY(out.zHistogram);
    QCOMPARE(scene.elements, out.summary->elements);
    QCOMPARE(*scene.rms, *out.zRms);
    // The bins hold what the judge summed: rms from their middles agrees.
    double squares = 0;
    for (const HistogramBar& bar : scene.bars) {
        const double z = symexp((bar.from + bar.to) / 2);
        squares += z * z * static_cast<double>(bar.count);
    }
    const double rms = std::sqrt(squares / static_cast<double>(scene.elements));
    QVERIFY2(std::abs(rms - *out.zRms) < 0.05 * *out.zRms, qPrintable(QString::number(rms)));
    QCOMPARE(b.live().reads(), 0); // nothing is read for it

    b.live().setUlps(true);
    b.settle();
    QCOMPARE(b.live().reads(), 1);
    QVERIFY(b.live().histogram()->scene().quantity == HistogramScene::Quantity::ulps);
    QCOMPARE(b.live().histogram()->scene().elements, out.summary->finite);
    QCOMPARE(b.live().histogram()->scene().largest, *out.summary->maxUlp);
    // A tolerance reads nothing.
    ToleranceSettings t = b.window.document().settings().live;
    b.window.document().setTolerance(Side::live, withRtol(t, 1e-6), {});
    b.settle();
    QCOMPARE(b.live().reads(), 1);
    b.live().setUlps(false);
    QVERIFY(b.live().histogram()->scene().quantity == HistogramScene::Quantity::z);
    // An input has no arithmetic before it, so theory says nothing of it.
    b.window.selection(Side::live).select(QStringLiteral("x"));
    b.settle();
    QVERIFY(b.live().histogram()->scene().quantity == HistogramScene::Quantity::ulps);
    QVERIFY(b.live().histogram()->accessibleDescription().contains(QStringLiteral("equal 100 %")));
}

void TapPlotsWindowTest::liveMap() {
    Bench b("wrong-accumulator=bf16");
    b.window.livePage()->plots()->showPlots({QStringLiteral("map")});
    b.window.document().start();
    b.settle();
    MapPlot* plot = b.live().map();
    QVERIFY(plot->map());
    QCOMPARE(plot->map()->height, 8);
    QCOMPARE(plot->map()->width, 64);
    const TapPair& out = b.window.document().live().judged().comparison()->pairs.back();
    QCOMPARE(static_cast<float>(plot->map()->largest), static_cast<float>(out.summary->maxAbs.value));
    const int reads = b.live().reads();
    click(*plot, plot->place(5, 33));
    QCOMPARE(b.window.selection(Side::live).element(), 5 * 64 + 33);
    b.settle();
    QCOMPARE(b.live().reads(), reads); // the map is the same
    b.live().setMeasure(MapMeasure::rel);
    b.settle();
    QVERIFY(plot->map()->measure == MapMeasure::rel);
    b.live().setDims(1, 0);
    b.settle();
    QCOMPARE(plot->map()->height, 64);
    b.window.selection(Side::live).select(QStringLiteral("up"));
    b.settle();
    QCOMPARE(plot->map()->height, 128); // the dims stay as chosen
    // The view is not read while the plot is hidden.
    b.window.livePage()->plots()->showPlots({QStringLiteral("faults")});
    const int before = b.live().reads();
    b.window.selection(Side::live).select(QStringLiteral("down"));
    b.settle();
    QCOMPARE(b.live().reads(), before);
}

void TapPlotsWindowTest::mapFollowsTheTolerance() {
    Bench b;
    b.window.livePage()->plots()->showPlots({QStringLiteral("map")});
    b.window.document().start();
    b.settle();
    const auto loosen = [&](double rtol) {
        ToleranceSettings t = b.window.document().settings().live;
        b.window.document().setTolerance(Side::live, withRtol(t, rtol), {});
        b.settle();
    };
    const int reads = b.live().reads();
    loosen(1e-3);
    QCOMPARE(b.live().reads(), reads);
    b.live().setMeasure(MapMeasure::bound);
    b.settle();
    loosen(1e-5);
    QVERIFY(b.live().map()->map()->largest > 1);
    loosen(0.5);
    QVERIFY(b.live().map()->map()->largest < 1);

    const auto rule = [&](Rule wanted) {
        ToleranceSettings t = b.window.document().settings().live;
        t.tolerance.rule = wanted;
        b.window.document().setTolerance(Side::live, t, {});
        b.settle();
    };
    QAction* share = nullptr;
    for (QAction* action : b.window.livePage()->plots()->card(QStringLiteral("map"))->moreMenu()->actions())
        if (action->text().startsWith(QStringLiteral("Verdict"))) share = action;
    QVERIFY(share && share->isEnabled() && share->isChecked());
    // No element has a share where one number of the whole tensor decides; with another rule it is back.
    for (const Rule whole : {Rule::polygraphyMax, Rule::eagerRmse}) {
        rule(whole);
        QVERIFY2(b.live().map()->map(), qPrintable(b.live().map()->problem()));
        QVERIFY(b.live().map()->map()->measure == MapMeasure::abs);
        QVERIFY(!share->isEnabled() && !share->isChecked());
        rule(Rule::either);
        QVERIFY(b.live().map()->map()->measure == MapMeasure::bound);
        QVERIFY(b.live().map()->map()->tolerance.rule == Rule::either);
        QVERIFY(share->isEnabled() && share->isChecked());
    }
}

/// The element is held against what its rule allows; where the rule judges the whole tensor, against nothing.
void TapPlotsWindowTest::inspectorFollowsTheRule() {
    QTemporaryDir files;
    Bench b;
    b.window.openFiles({writeDump(files.path(), QStringLiteral("reference.npz"), 0),
                        writeDump(files.path(), QStringLiteral("bad.npz"), 0.5f)});
    b.settle();
    b.window.selection(Side::compare).select(QStringLiteral("second"), 9); // 10 and 10.5
    const auto line = [&](const char* label, Rule rule) {
        ToleranceSettings t;
        t.tolerance = {rule, 0.03, 0.4};
        b.window.document().setTolerance(Side::compare, t, {});
        b.settle();
        for (const auto& each : b.window.findChild<ElementInspector*>()->lines())
            if (each.label == QLatin1String(label)) return each.value;
        return QString();
    };
    for (const Rule sum : {Rule::allclose, Rule::numpy, Rule::torch}) {
        QCOMPARE(line("tolerance", sum), num::error(0.7));
        QCOMPARE(line("at this tolerance", sum), QStringLiteral("passes"));
    }
    for (const Rule larger : {Rule::either, Rule::polygraphyElemwise}) {
        QCOMPARE(line("tolerance", larger), num::error(0.4));
        QCOMPARE(line("at this tolerance", larger), QStringLiteral("fails"));
    }
    for (const RuleInfo& rule : ruleList())
        if (rule.wholeTensor) QVERIFY(line("tolerance", rule.rule).isEmpty());
}

void TapPlotsWindowTest::cardShowsThePlace() {
    Bench b("wrong-accumulator=bf16");
    b.window.document().start();
    b.settle();
    auto* pane = b.window.findChild<VerdictPane*>();
    QVERIFY(pane);
    emit pane->placeRequested(QStringLiteral("out"), 70);
    QVERIFY(b.window.livePage()->plots()->shown().contains(QStringLiteral("map")));
    b.settle();
    QVERIFY(b.live().map()->map());
}

void TapPlotsWindowTest::comparePage() {
    QTemporaryDir files;
    Bench b;
    b.window.openFiles({writeDump(files.path(), QStringLiteral("reference.npz"), 0),
                        writeDump(files.path(), QStringLiteral("bad.npz"), 0.5f)});
    b.settle();
    ComparePage* page = b.window.comparePage();
    QVERIFY(!page->plots()->isVisible());
    QCOMPARE(page->tapPlots()->reads(), 0);
    b.window.selection(Side::compare).select(QStringLiteral("second"));
    auto* histogram = b.window.findChild<QPushButton*>(QStringLiteral("compareHistogramButton"));
    auto* map = b.window.findChild<QPushButton*>(QStringLiteral("compareMapButton"));
    histogram->click();
    b.settle();
    QVERIFY(page->plots()->isVisible());
    QVERIFY(histogram->isChecked() && !map->isChecked());
    const HistogramScene& scene = page->tapPlots()->histogram()->scene();
    QCOMPARE(scene.elements, 10);
    QCOMPARE(scene.above, 10);
    map->click();
    b.settle();
    QCOMPARE(page->plots()->shown().size(), 2);
    QCOMPARE(page->tapPlots()->map()->map()->width, 10);
    QCOMPARE(page->tapPlots()->map()->map()->largest, 0.5);
    b.window.selection(Side::compare).select(QStringLiteral("first"));
    b.settle();
    QCOMPARE(page->tapPlots()->map()->map()->largest, 0.0);
    histogram->click();
    map->click();
    QVERIFY(!page->plots()->isVisible());
    // The element of a card is shown there.
    emit b.window.findChild<VerdictPane*>()->placeRequested(QStringLiteral("second"), 3);
    QVERIFY(page->plots()->isVisible() && map->isChecked());
    b.settle();
}

void TapPlotsWindowTest::slowFilesDoNotBlock() {
    Document document(twinSession());
    Selection selection;
    PlotArea area;
    area.resize(500, 400);
    TapPlots plots(&document, &selection, Side::live, &area, &document);
    area.showPlots({QStringLiteral("map")});
    area.show();
    // Without a result there is a sentence, and no job.
    QCOMPARE(plots.reads(), 0);
    QVERIFY(!plots.map()->problem().isEmpty());
    document.setRun(smallRun(document.settings().run), {});
    document.start();
    QTRY_VERIFY_WITH_TIMEOUT(settled(document), 60000);
    selection.select(QStringLiteral("out"));
    QVERIFY(plots.running()); // asked, and not read within the event
    QVERIFY(!plots.map()->map());
    QTRY_VERIFY(plots.map()->map() && !plots.running());
}

void TapPlotsWindowTest::workThatThrowsIsSaid() {
    std::atomic<bool> go{false};
    Bench b;
    const auto end = qScopeGuard([&go] { go = true; }); // the window waits for its workers
    b.window.livePage()->plots()->showPlots({QStringLiteral("histogram"), QStringLiteral("map")});
    b.window.document().start();
    b.settle();
    b.live().setUlps(true);
    b.settle();
    loadBy(b.window, "up", []() -> Result<PairData> { throw std::bad_alloc(); });
    b.window.selection(Side::live).select(QStringLiteral("up"));
    b.settle();
    for (const QString& words : {b.live().histogram()->problem(), b.live().map()->problem()})
        QVERIFY2(words.contains(QString::fromLatin1(std::bad_alloc().what())), qPrintable(words));
    const auto* error = b.window.findChild<QLabel*>(QStringLiteral("elementError"));
    QVERIFY2(!error->isHidden() && error->text().contains(QString::fromLatin1(std::bad_alloc().what())),
             qPrintable(error->text()));
    const int reads = b.live().reads();
    b.live().refresh(); // it is not tried again and again
    QCOMPARE(b.live().reads(), reads);
    b.window.selection(Side::live).select(QStringLiteral("out"));
    b.settle();
    QVERIFY(b.live().map()->map() && b.live().histogram()->problem().isEmpty());

    // Of two reads the first throws: the second answers.
    const auto hold = [&go] {
        while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    loadBy(b.window, "up", [hold]() -> Result<PairData> { hold(), throw std::bad_alloc(); });
    b.window.selection(Side::live).select(QStringLiteral("up"));
    b.live().setMeasure(MapMeasure::bound);
    b.window.selection(Side::live).select(QStringLiteral("out"));
    go = true;
    b.settle();
    QVERIFY(b.live().map()->map() && b.live().histogram()->problem().isEmpty());
    QVERIFY(b.live().map()->map()->measure == MapMeasure::bound);
}

/// What was read for another tap, or another measure, does not come in under the title of this one.
void TapPlotsWindowTest::readsOfOtherTapsAreLetGo() {
    std::atomic<bool> go{false};
    Bench b("wrong-accumulator=bf16");
    const auto end = qScopeGuard([&go] { go = true; });
    b.window.livePage()->plots()->showPlots({QStringLiteral("map")});
    b.window.document().start();
    b.settle();
    const MapPlot* plot = b.live().map();
    QCOMPARE(plot->map()->width, 64);
    for (const TapPair& pair : b.window.document().live().judged().comparison()->pairs)
        loadBy(b.window, pair.name.c_str(), [&go, load = pair.load] {
            while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return load();
        });
    const auto release = [&] {
        QTest::qWait(20);
        go = true;
        b.settle();
        go = false;
    };
    // Away and back: the map that is there is the right one.
    b.window.selection(Side::live).select(QStringLiteral("up"));
    b.window.selection(Side::live).select(QStringLiteral("out"));
    release();
    QCOMPARE(plot->map()->width, 64);
    b.live().setMeasure(MapMeasure::rel);
    b.live().setMeasure(MapMeasure::abs);
    release();
    QVERIFY(plot->map()->measure == MapMeasure::abs);
    // Away to where there is nothing.
    b.window.selection(Side::live).select(QStringLiteral("up"));
    b.window.selection(Side::live).select(QStringLiteral("no such tap"));
    release();
    QVERIFY(!plot->map());
    QVERIFY(plot->problem().startsWith(QStringLiteral("Select a tap")));
    // Only the newest is shown, once it is there.
    b.window.selection(Side::live).select(QStringLiteral("up"));
    b.window.selection(Side::live).select(QStringLiteral("out"));
    QVERIFY(!plot->map());
    release();
    QCOMPARE(plot->map()->width, 64);
}

QTEST_MAIN(TapPlotsWindowTest)
#include "tst_tap_plots_window.moc"
