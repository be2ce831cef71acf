#include "workbench.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

#include "gui/main_window.h"
#include "gui/number_format.h"
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

/// Histogram and map: their maths, the plots by themselves, and in both pages of the window.
class TapPlotsTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void cleanup() { Theme::apply(*qApp, ThemeChoice::light); }
    void zBars();
    void ulpBars();
    void ticks();
    void histogramAnswersTheMouse();
    void histogramExports();
    void mapColours();
    void mapColoursOfAnySize();
    void mapAnswersMouseAndKeys();
    void mapOfNothing();
    void mapOfManyDims();
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

HistogramScene normalScene(int n) {
    samples::Numbers numbers(3);
    SignedHistogram z;
    double squares = 0, largest = 0;
    for (int i = 0; i < n; ++i) {
        const double one = numbers.normal();
        z.add(one);
        squares += one * one;
        largest = std::max(largest, std::abs(one));
    }
    return zScene(z, std::sqrt(squares / n), largest);
}

template <class T>
void showAt(T& plot, QSize size = {460, 360}) {
    plot.resize(size);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    QTRY_VERIFY(plot.replots() > 0);
    QTest::qWait(0);
}

void mouse(PlotWidget& plot, QEvent::Type type, QPointF at, Qt::MouseButton button = Qt::LeftButton) {
    QCustomPlot& target = plot.customPlot();
    QMouseEvent event(type, at, target.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : button,
                      type == QEvent::MouseButtonPress ? button : Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&target, &event);
}

void click(PlotWidget& plot, QPointF at) {
    mouse(plot, QEvent::MouseButtonPress, at);
    mouse(plot, QEvent::MouseButtonRelease, at);
}

QColor colourAt(const PlotWidget& plot, QPointF place) {
    return plot.image().toImage().pixelColor(place.toPoint());
}

std::shared_ptr<const ErrorMap> mapOf(const Shape& shape, const std::vector<float>& r,
                                      const std::vector<float>& c, MapMeasure measure = MapMeasure::abs,
                                      int most = 512) {
    const Tensor reference = tensorOf<float>(DType::f32, shape, r);
    const Tensor candidate = tensorOf<float>(DType::f32, shape, c);
    auto map = errorMap(reference.view(), candidate.view(), defaultSlice(shape), measure,
                        {Rule::allclose, 1e-2, 1e-3}, most);
    return map ? std::make_shared<const ErrorMap>(std::move(*map)) : nullptr;
}

/// 3 × 4; the error grows with the index, one NaN and one infinity.
std::shared_ptr<const ErrorMap> smallMap() {
    std::vector<float> r(12, 1), c(12);
    for (std::size_t i = 0; i < 12; ++i) c[i] = 1 + static_cast<float>(i) * 0x1p-10f;
    c[5] = NAN;
    c[6] = INFINITY;
    return mapOf({3, 4}, r, c);
}

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

} // namespace

void TapPlotsTest::zBars() {
    const int n = 20000;
    const HistogramScene scene = normalScene(n);
    QCOMPARE(scene.elements, n);
    double expected = 0;
    for (std::size_t i = 0; i < scene.bars.size(); ++i) {
        if (i > 0) QVERIFY(std::abs(scene.bars[i].from - scene.bars[i - 1].to) < 1e-12);
        expected += *scene.bars[i].expected;
        // The numbers are normal, so the bars follow the curve.
        const double e = *scene.bars[i].expected, c = static_cast<double>(scene.bars[i].count);
        if (e > 20) QVERIFY2(std::abs(c - e) < 6 * std::sqrt(e), qPrintable(barText(scene, scene.bars[i])));
    }
    QVERIFY(std::abs(expected - n) < 3);
    const QString words = histogramStatement(scene);
    QVERIFY2(words.startsWith(QStringLiteral("n 20,000 · rms z 1.0")), qPrintable(words));
    QCOMPARE(num::z(expectedLargest(20000)), QStringLiteral("4.06"));
    QVERIFY(zScene(SignedHistogram(), 0, 0).bars.empty());

    SignedHistogram far;
    far.add(-70);
    far.add(INFINITY);
    const HistogramScene wide = zScene(far, INFINITY, INFINITY);
    QVERIFY(std::isinf(wide.bars.back().high));
    QVERIFY(barText(wide, wide.bars.back()).startsWith(QStringLiteral("z from")));
    QCOMPARE(wide.below, 1);
    QCOMPARE(wide.above, 1);
}

void TapPlotsTest::ulpBars() {
    UlpSpread ulps;
    ulps.equal = 5;
    ulps.above[1] = 3;
    ulps.below[4] = 2;
    ulps.largest = 12;
    ulps.notFinite = 1;
    const HistogramScene scene = ulpScene(ulps);
    QCOMPARE(scene.bars.size(), std::size_t(6)); // −15…−8 up to equal, then 1
    QCOMPARE(scene.elements, 10);
    for (std::size_t i = 1; i < scene.bars.size(); ++i)
        QVERIFY(std::abs(scene.bars[i].from - scene.bars[i - 1].to) < 1e-12);
    QCOMPARE(barText(scene, scene.bars[0]), QStringLiteral("8 to 15 ulps below"));
    QCOMPARE(barText(scene, scene.bars[4]), QStringLiteral("equal, 0 ulps"));
    QCOMPARE(barText(scene, scene.bars[5]), QStringLiteral("1 ulp above"));
    QCOMPARE(
        histogramStatement(scene),
        QStringLiteral("n 10 · largest 12 ulps · not finite 1 · above 30.0 %, below 20.0 %, equal 50.0 %"));
}

void TapPlotsTest::ticks() {
    const SymlogTicks few = symlogTicks(symlog(-4), symlog(4), 300, 44);
    QVERIFY(std::find(few.labels.begin(), few.labels.end(), QStringLiteral("0")) != few.labels.end());
    QVERIFY(std::find(few.labels.begin(), few.labels.end(), QStringLiteral("-1")) != few.labels.end());
    const SymlogTicks wide = symlogTicks(symlog(-1e6), symlog(1e6), 500, 44);
    QVERIFY(wide.places.size() >= 5);
    for (std::size_t i = 1; i < wide.places.size(); ++i)
        QVERIFY((wide.places[i] - wide.places[i - 1]) * 500 / (2 * symlog(1e6)) >= 44);
    QVERIFY(std::find(wide.labels.begin(), wide.labels.end(), QStringLiteral("1e4")) != wide.labels.end());
}

void TapPlotsTest::histogramAnswersTheMouse() {
    HistogramPlot plot;
    plot.setScene(normalScene(5000));
    showAt(plot);
    std::size_t tallest = 0;
    for (std::size_t i = 0; i < plot.scene().bars.size(); ++i)
        if (plot.scene().bars[i].count > plot.scene().bars[tallest].count) tallest = i;
    const QPointF place = plot.place(static_cast<int>(tallest));
    mouse(plot, QEvent::MouseMove, place);
    const auto readout = plot.currentReadout();
    QVERIFY(readout);
    QCOMPARE(readout->title, barText(plot.scene(), plot.scene().bars[tallest]));
    QCOMPARE(readout->rows[0].second,
             num::count(static_cast<std::uint64_t>(plot.scene().bars[tallest].count)));
    QCOMPARE(readout->rows[1].first, QStringLiteral("normal"));
    QCOMPARE(colourAt(plot, place + QPointF(-1, 20)), color(Token::density2));

    // The view of the other axis is another one.
    const double log = plot.customPlot().yAxis->range().upper;
    plot.setLogCounts(false);
    QVERIFY(plot.customPlot().yAxis->range().upper > 10 * log);
    QVERIFY(plot.customPlot().yAxis->range().lower == 0);
    QTest::qWait(20);
    mouse(plot, QEvent::MouseMove, plot.place(static_cast<int>(tallest)));
    QVERIFY(plot.currentReadout());
    QCOMPARE(plot.legend().size(), std::size_t(3));

    plot.setProblem(QStringLiteral("Nothing."));
    QVERIFY(plot.legend().empty());
    QTest::qWait(20);
    mouse(plot, QEvent::MouseMove, place);
    QVERIFY(!plot.currentReadout());
}

void TapPlotsTest::histogramExports() {
    HistogramPlot plot;
    plot.setScene(normalScene(500));
    showAt(plot);
    const QStringList lines = plot.csv().trimmed().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), qsizetype(plot.scene().bars.size()) + 1);
    QCOMPARE(lines[0], QStringLiteral("z_from,z_to,elements,normal"));
    qint64 n = 0;
    for (qsizetype i = 1; i < lines.size(); ++i) n += lines[i].section(QLatin1Char(','), 2, 2).toLongLong();
    QCOMPARE(n, 500);
    QTemporaryDir folder;
    for (const char* name : {"h.svg", "h.png", "h.csv"}) {
        const QString path = folder.filePath(QString::fromLatin1(name));
        QVERIFY(plot.exportTo(path));
        QVERIFY2(QFileInfo(path).size() > 100, name);
    }
    Theme::apply(*qApp, ThemeChoice::dark);
    QTest::qWait(20);
    QCOMPARE(colourAt(plot, QPointF(2, 2)), tokenColor(Token::panel, true));
}

void TapPlotsTest::mapColours() {
    const auto map = smallMap();
    const MapScale scale = mapScale(*map);
    QVERIFY(!scale.empty);
    QCOMPARE(mapPlace(scale, map->largest), 1.0);
    QCOMPARE(mapPlace(scale, 0), 0.0);
    const QImage image = mapImage(*map, scale);
    QCOMPARE(image.size(), QSize(4, 3));
    QCOMPARE(image.pixelColor(3, 2), color(Token::heat2));
    QCOMPARE(image.pixelColor(0, 0), color(Token::heat0));
    QCOMPARE(image.pixelColor(1, 1), color(Token::outsideSolid));
    QCOMPARE(image.pixelColor(2, 1), color(Token::incompSolid));

    // No error at all, and one size of error only.
    const std::vector<float> ones(6, 1);
    QVERIFY(mapScale(*mapOf({2, 3}, ones, ones)).empty);
    const MapScale one = mapScale(*mapOf({2, 3}, ones, std::vector<float>(6, 1.5f)));
    QVERIFY(one.high > one.low);
    // Of a tolerance it is seen where elements begin to fail.
    const MapScale bound = mapScale(*mapOf({2, 3}, ones, std::vector<float>(6, 1.0001f), MapMeasure::bound));
    QVERIFY(bound.low < 0 && bound.high > 0);
}

/// Of errors that no float can hold, and of cells that hide every number behind an infinity.
void TapPlotsTest::mapColoursOfAnySize() {
    const auto of = [](std::vector<double> c, std::vector<double> r, MapMeasure measure, int most) {
        const Shape shape{1, static_cast<std::int64_t>(c.size())};
        const Tensor candidate = tensorOf<double>(DType::f64, shape, std::move(c));
        const Tensor reference = tensorOf<double>(DType::f64, shape, std::move(r));
        return *errorMap(reference.view(), candidate.view(), defaultSlice(shape), measure, {}, most);
    };
    for (const double size : {1e-310, 1e-60, 1e60, 1e300}) {
        const ErrorMap map = of({size, 0, size / 100, size / 10}, {0, 0, 0, 0}, MapMeasure::abs, 512);
        const MapScale scale = mapScale(map);
        QVERIFY(!scale.empty);
        QVERIFY(std::abs(scale.high - std::log10(size)) < 1e-9);
        QVERIFY(scale.low < scale.high);
        QCOMPARE(map.value[0], size);
        const QImage image = mapImage(map, scale);
        QCOMPARE(image.pixelColor(0, 0), color(Token::heat2));
        QCOMPARE(image.pixelColor(1, 0), color(Token::heat0));
        QVERIFY(image.pixel(3, 0) != image.pixel(0, 0) && image.pixel(3, 0) != image.pixel(2, 0));
    }
    // Both elements of the cell differ; the one whose reference is 0 by an infinite factor.
    const ErrorMap hidden = of({1, 2}, {0, 1}, MapMeasure::rel, 1);
    QVERIFY(hidden.largest > 0);
    QVERIFY(mapScale(hidden).empty);
    QCOMPARE(mapImage(hidden, mapScale(hidden)).pixelColor(0, 0), color(Token::heat2));
}

void TapPlotsTest::mapAnswersMouseAndKeys() {
    MapPlot plot;
    plot.setMap(smallMap(), {3, 4});
    showAt(plot);
    QSignalSpy picked(&plot, &MapPlot::elementPicked);
    click(plot, plot.place(2, 3));
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked[0][0].toLongLong(), 11);
    mouse(plot, QEvent::MouseMove, plot.place(1, 1));
    QVERIFY(plot.currentReadout());
    QCOMPARE(plot.currentReadout()->title, QStringLiteral("[1, 1]"));
    QCOMPARE(plot.currentReadout()->rows[0].second, QStringLiteral("nan"));
    QCOMPARE(colourAt(plot, plot.place(1, 1)), color(Token::outsideSolid));
    QCOMPARE(colourAt(plot, plot.place(2, 3)), color(Token::heat2)); // rows run down
    QVERIFY(plot.place(2, 0).y() > plot.place(0, 0).y());

    plot.setSelected(11);
    QTest::keyClick(&plot, Qt::Key_Left);
    QCOMPARE(picked.last()[0].toLongLong(), 10);
    QTest::keyClick(&plot, Qt::Key_Up);
    QCOMPARE(picked.last()[0].toLongLong(), 7);
    QTest::keyClick(&plot, Qt::Key_Down);
    QCOMPARE(picked.last()[0].toLongLong(), 11); // there is no row below
    QSignalSpy cut(&plot, &MapPlot::cutStepped);
    QTest::keyClick(&plot, Qt::Key_PageDown);
    QCOMPARE(cut[0][0].toInt(), 1);

    const QStringList lines = plot.csv().trimmed().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 13);
    QCOMPARE(lines[6], QStringLiteral("1,1,nan,5"));
    QCOMPARE(plot.legend().size(), std::size_t(2));
    plot.setProblem(QStringLiteral("Nothing."));
    click(plot, QPointF(100, 100));
    QCOMPARE(picked.count(), 4);
}

/// Keys and the mouse find no element where there is none.
void TapPlotsTest::mapOfNothing() {
    for (const Shape& shape : {Shape{0, 4}, Shape{4, 0}, Shape{0}, Shape{0, 0}}) {
        auto map = std::make_shared<ErrorMap>();
        map->slice = defaultSlice(shape);
        map->height = shape.size() > 1 ? shape[0] : 1;
        map->width = shape.back();
        map->rows = static_cast<int>(map->height);
        map->columns = static_cast<int>(map->width);
        MapPlot plot;
        plot.setMap(map, shape);
        showAt(plot);
        QSignalSpy picked(&plot, &MapPlot::elementPicked);
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down})
            QTest::keyClick(&plot, key);
        click(plot, QPointF(100, 100));
        QCOMPARE(picked.count(), 0);
        QCOMPARE(plot.csv(), QStringLiteral("row,column,value,element\n"));
    }
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

void TapPlotsTest::mapOfManyDims() {
    const Shape shape{1000, 3};
    std::vector<float> r(3000, 1), c(3000, 1);
    c[1501] = 2;
    MapPlot plot;
    plot.setMap(mapOf(shape, r, c, MapMeasure::abs, 64), shape);
    showAt(plot);
    QCOMPARE(plot.map()->rowsPerCell, 16);
    QSignalSpy picked(&plot, &MapPlot::elementPicked);
    click(plot, plot.place(497, 1)); // another row of the same cell
    QCOMPARE(picked[0][0].toLongLong(), 1501);
    QCOMPARE(sliceText({1, 3, {2, 0, 4, 0}}), QStringLiteral("rows dim 1 · columns dim 3 · at [2, ·, 4, ·]"));
    QCOMPARE(sliceText(defaultSlice({5})), QStringLiteral("columns dim 0"));
    QCOMPARE(sliceText(defaultSlice({})), QString());
}

void TapPlotsTest::liveHistogram() {
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

void TapPlotsTest::liveMap() {
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

void TapPlotsTest::mapFollowsTheTolerance() {
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
void TapPlotsTest::inspectorFollowsTheRule() {
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

void TapPlotsTest::cardShowsThePlace() {
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

void TapPlotsTest::comparePage() {
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

void TapPlotsTest::slowFilesDoNotBlock() {
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

namespace {

/// The elements of a live tap come from this from now on; nothing else reads the result meanwhile.
void loadBy(MainWindow& window, const char* tap, std::function<Result<PairData>()> load) {
    for (const TapPair& pair : window.document().live().judged().comparison()->pairs)
        if (pair.name == tap) const_cast<TapPair&>(pair).load = load;
}

} // namespace

void TapPlotsTest::workThatThrowsIsSaid() {
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
void TapPlotsTest::readsOfOtherTapsAreLetGo() {
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

QTEST_MAIN(TapPlotsTest)
#include "tst_tap_plots.moc"
