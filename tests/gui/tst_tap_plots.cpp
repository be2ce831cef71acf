#include "workbench.h"

#include <QMenu>
#include <QSignalSpy>

#include "gui/number_format.h"
#include "plot_mouse.h"
#include "plot_samples.h"
#include "plots/histogram_plot.h"
#include "plots/map_plot.h"
#include "plots/qcp.h"

using namespace divdet;

/// Histogram and map by themselves: their maths, their drawing, their mouse and keys.
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

QTEST_MAIN(TapPlotsTest)
#include "tst_tap_plots.moc"
