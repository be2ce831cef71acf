#include "gui_test.h"
#include "plot_samples.h"
#include "plots/faults_plot.h"
#include "plots/qcp.h"
#include "plots/scatter_plot.h"
#include "plots/tolerance_plot.h"
#include <QClipboard>
#include <QSignalSpy>

using namespace divdet;

namespace {

template <class T>
void showAt(T& plot, QSize size = {420, 520}) {
    plot.resize(size);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    QTRY_VERIFY(plot.replots() > 0);
    QTest::qWait(0);
}

void mouse(PlotWidget& plot, QEvent::Type type, QPointF at, Qt::MouseButton button = Qt::LeftButton,
           Qt::KeyboardModifiers modifiers = {}) {
    QCustomPlot& target = plot.customPlot();
    const bool move = type == QEvent::MouseMove;
    QMouseEvent event(type, at, target.mapToGlobal(at), move ? Qt::NoButton : button,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : button, modifiers);
    QCoreApplication::sendEvent(&target, &event);
}

void drag(PlotWidget& plot, QPointF from, QPointF to, Qt::MouseButton button = Qt::LeftButton,
          Qt::KeyboardModifiers m = {}) {
    mouse(plot, QEvent::MouseButtonPress, from, button, m);
    for (int i = 1; i <= 8; ++i) mouse(plot, QEvent::MouseMove, from + (to - from) * i / 8.0, button, m);
    mouse(plot, QEvent::MouseButtonRelease, to, button, m);
}

void hover(PlotWidget& plot, QPointF at) {
    mouse(plot, QEvent::MouseMove, at, Qt::NoButton);
}

QColor at(const PlotWidget& plot, QPointF place) {
    return plot.image().toImage().pixelColor(place.toPoint());
}

} // namespace

class TestPlots : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void cleanup() { Theme::apply(*qApp, ThemeChoice::light); }
    void oneToleranceOneReplot();
    void handleSlidesAlongThePath();
    void shiftUnlinksTheHandle();
    void presetIsPicked();
    void hoverNamesACurve();
    void wheelZoomsAndHomeResets();
    void dragPansAndBoxZooms();
    void faultRowsAnswerTheMouse();
    void coloursFollowTheTheme();
    void exportsHaveTheData();
    void copiesAnImage();
    void scatterCountsAndRing();
    void dumpsShowAllAndTheSelectedPair();
    void emptyPlotsAreHarmless();
};

void TestPlots::oneToleranceOneReplot() {
    FaultsPlot faults;
    TolerancePlot plane;
    ScatterPlot scatter;
    const auto live = samples::liveOf(true);
    faults.setData(live);
    plane.setData(live);
    scatter.setPair(&live->together->pairs[2]);
    showAt(faults);
    showAt(plane);
    showAt(scatter);
    const Tolerance t{Rule::allclose, 1e-5, 1e-8};
    for (PlotWidget* plot : std::initializer_list<PlotWidget*>{&faults, &plane, &scatter}) {
        const int before = plot->replots();
        if (plot == &faults) faults.setTolerance(t), faults.setTolerance(t);
        if (plot == &plane) plane.setTolerance(t, true), plane.setTolerance(t, true);
        if (plot == &scatter) scatter.setTolerance(t), scatter.setTolerance(t);
        QTRY_COMPARE(plot->replots(), before + 1);
        QTest::qWait(20);
        QCOMPARE(plot->replots(), before + 1);
    }
    QVERIFY(faults.rows()[1].verdict == Verdict::outside);
}

void TestPlots::handleSlidesAlongThePath() {
    TolerancePlot plane;
    plane.setData(samples::liveOf(false));
    showAt(plane);
    QSignalSpy dragged(&plane, &TolerancePlot::toleranceDragged);
    const QPointF from = plane.handlePosition();
    drag(plane, from + QPointF(3, 2), from + QPointF(-120, 200));
    QVERIFY(dragged.count() >= 4);
    for (const auto& call : dragged) QCOMPARE(call[1].toDouble(), linkedAtol(call[0].toDouble()));
    QVERIFY(dragged.last()[0].toDouble() < 1e-3);
    QVERIFY(plane.handlePosition().x() < from.x() - 60);
    QVERIFY(!plane.viewMoved());
    // A page answers each drag with the same tolerance: nothing more is drawn for it.
    QTest::qWait(20);
    const int before = plane.replots();
    plane.setTolerance({Rule::allclose, dragged.last()[0].toDouble(), dragged.last()[1].toDouble()}, true);
    QTest::qWait(20);
    QCOMPARE(plane.replots(), before);
}

void TestPlots::shiftUnlinksTheHandle() {
    TolerancePlot plane;
    plane.setData(samples::liveOf(false));
    showAt(plane);
    QSignalSpy dragged(&plane, &TolerancePlot::toleranceDragged);
    const QPointF from = plane.handlePosition();
    drag(plane, from, from + QPointF(-100, 0), Qt::LeftButton, Qt::ShiftModifier);
    QVERIFY(dragged.count() > 0);
    QCOMPARE(dragged.last()[1].toDouble(), 1e-3);
    QVERIFY(dragged.last()[0].toDouble() < 1e-3);
}

void TestPlots::presetIsPicked() {
    TolerancePlot plane;
    plane.setData(samples::liveOf(false));
    showAt(plane);
    QSignalSpy picked(&plane, &TolerancePlot::presetPicked);
    QCustomPlot& plot = plane.customPlot();
    const QPointF fp32(plot.xAxis->coordToPixel(-5), plot.yAxis->coordToPixel(-8));
    mouse(plane, QEvent::MouseButtonPress, fp32);
    mouse(plane, QEvent::MouseButtonRelease, fp32);
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked[0][0].toString(), QString("fp32"));
}

void TestPlots::hoverNamesACurve() {
    TolerancePlot plane;
    const auto live = samples::liveOf(false);
    plane.setData(live);
    showAt(plane);
    QCustomPlot& plot = plane.customPlot();
    Tolerance t;
    t.rtol = 3e-5;
    const double needs = neededAtol(*live->alone[1].comparison, t);
    const int before = plane.replots();
    hover(plane, {plot.xAxis->coordToPixel(std::log10(3e-5)), plot.yAxis->coordToPixel(std::log10(needs))});
    const auto readout = plane.currentReadout();
    QVERIFY(readout);
    QCOMPARE(readout->title, QString("tf32"));
    QCOMPARE(readout->rows[0].first, QString("needs atol"));
    hover(plane, {plot.xAxis->coordToPixel(-4.0), plot.yAxis->coordToPixel(-1.3)});
    QCOMPARE(plane.currentReadout()->title, QString("all judged taps pass here"));
    QTest::qWait(20);
    QCOMPARE(plane.replots(), before); // hovering draws on the overlay only
}

void TestPlots::wheelZoomsAndHomeResets() {
    TolerancePlot plane;
    plane.setData(samples::liveOf(false));
    showAt(plane);
    QCustomPlot& plot = plane.customPlot();
    const QCPRange before = plot.xAxis->range();
    const QPointF place(200, 200);
    const double fixed = plot.xAxis->pixelToCoord(place.x());
    QWheelEvent wheel(place, plot.mapToGlobal(place), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&plot, &wheel);
    QVERIFY(plot.xAxis->range().size() < before.size());
    QVERIFY(std::fabs(plot.xAxis->pixelToCoord(place.x()) - fixed) < 1e-9);
    QVERIFY(plane.viewMoved());
    plane.setTolerance({Rule::allclose, 1e-8, 1e-9}, true);
    QVERIFY(plot.xAxis->range().size() < before.size()); // a zoomed view stays
    QTest::keyClick(&plane, Qt::Key_Home);
    QVERIFY(!plane.viewMoved());
    QVERIFY(plot.xAxis->range().lower <= -8);
}

void TestPlots::dragPansAndBoxZooms() {
    ScatterPlot scatter;
    const auto live = samples::liveOf(true);
    scatter.setPair(&live->together->pairs[1]);
    showAt(scatter);
    QCustomPlot& plot = scatter.customPlot();
    const double size = plot.xAxis->range().size(), lower = plot.xAxis->range().lower;
    drag(scatter, {300, 300}, {250, 300});
    QVERIFY(std::fabs(plot.xAxis->range().size() - size) < 1e-9);
    QVERIFY(plot.xAxis->range().lower > lower);
    const double left = plot.xAxis->pixelToCoord(200), right = plot.xAxis->pixelToCoord(300);
    drag(scatter, {200, 200}, {300, 320}, Qt::RightButton);
    QVERIFY(std::fabs(plot.xAxis->range().lower - left) < 1e-9);
    QVERIFY(std::fabs(plot.xAxis->range().upper - right) < 1e-9);
    scatter.reset();
    QVERIFY(std::fabs(plot.xAxis->range().lower - lower) < 1e-9);
}

void TestPlots::faultRowsAnswerTheMouse() {
    FaultsPlot faults;
    faults.setData(samples::liveOf(true));
    showAt(faults, {390, 520});
    QSignalSpy selected(&faults, &FaultsPlot::passSelected), alone(&faults, &FaultsPlot::passAloneRequested);
    const QPointF row = faults.rowRect(2).center();
    mouse(faults, QEvent::MouseButtonPress, row);
    mouse(faults, QEvent::MouseButtonRelease, row);
    QCOMPARE(selected.takeFirst()[0].toString(), QString("int8"));
    mouse(faults, QEvent::MouseButtonDblClick, row);
    QCOMPARE(alone.takeFirst()[0].toString(), QString("int8"));
    mouse(faults, QEvent::MouseButtonDblClick, faults.rowRect(4).center());
    QCOMPARE(alone.count(), 0);
    QTest::keyClick(&faults, Qt::Key_Down);
    QCOMPARE(selected.takeFirst()[0].toString(), QString("wrong-accumulator"));
    hover(faults, row);
    QCOMPARE(faults.currentReadout()->title, QString("int8 per token"));
    QVERIFY(faults.accessibleDescription().contains("wrong-accumulator OUTSIDE"));
}

void TestPlots::coloursFollowTheTheme() {
    TolerancePlot plane;
    plane.setData(samples::liveOf(false));
    showAt(plane);
    const QPointF corner(2, plane.height() - 3);
    QCOMPARE(at(plane, corner), tokenColor(Token::panel, false));
    Theme::apply(*qApp, ThemeChoice::dark);
    QTest::qWait(20);
    QCOMPARE(at(plane, corner), tokenColor(Token::panel, true));
    QCOMPARE(plane.customPlot().plottable(0)->pen().color(), tokenColor(Token::passBlue, true));
    FaultsPlot faults;
    faults.setData(samples::liveOf(true));
    showAt(faults, {390, 520});
    const QPointF bar(faults.customPlot().axisRect()->left() + 6, faults.rowRect(4).center().y() - 12);
    QCOMPARE(at(faults, bar), tokenColor(Token::outsideSolid, true));
}

void TestPlots::exportsHaveTheData() {
    QTemporaryDir folder;
    FaultsPlot faults;
    TolerancePlot plane;
    ScatterPlot scatter;
    const auto live = samples::liveOf(true);
    faults.setData(live);
    plane.setData(live);
    scatter.setPair(&live->together->pairs[1]);
    showAt(faults);
    showAt(plane);
    showAt(scatter);
    const std::pair<PlotWidget*, QByteArray> plots[] = {
        {&faults, "int8"}, {&plane, "wrong"}, {&scatter, "reference_from"}};
    for (const auto& [plot, word] : plots)
        for (const char* suffix : {"svg", "png", "csv"}) {
            const QString path = folder.filePath(plot->objectName() + '.' + suffix);
            const Status done = plot->exportTo(path);
            QVERIFY2(done.ok(), qPrintable(path));
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray bytes = file.readAll();
            QVERIFY(bytes.size() > 200);
            if (qstrcmp(suffix, "svg") == 0) QVERIFY(bytes.contains("<svg") && bytes.contains("1e-"));
            if (qstrcmp(suffix, "png") == 0) QCOMPARE(QImage::fromData(bytes).width(), 2 * plot->width());
            if (qstrcmp(suffix, "csv") == 0 && plot != &plane) QVERIFY(bytes.contains(word));
            if (qstrcmp(suffix, "csv") == 0) QVERIFY(bytes.count('\n') >= 5);
        }
    QVERIFY(plane.csv().contains("bf16 accumulator (bug),bug,"));
    const Status bad = faults.exportTo(folder.filePath("x.doc"));
    QVERIFY(!bad.ok() && bad.error().code == ErrorCode::usage);
    QVERIFY(!faults.exportTo(folder.filePath("none/x.csv")).ok());
}

void TestPlots::copiesAnImage() {
    FaultsPlot faults;
    faults.setData(samples::liveOf(false));
    showAt(faults);
    faults.copyImage();
    QCOMPARE(QGuiApplication::clipboard()->image().width(), 840);
}

void TestPlots::scatterCountsAndRing() {
    ScatterPlot scatter;
    samples::PairRecipe recipe{"up", 1e-3, 1e-3};
    recipe.zeros = 300;
    const TapPair pair = samples::pairOf(recipe);
    scatter.setPair(&pair);
    showAt(scatter);
    QCustomPlot& plot = scatter.customPlot();
    const Element worst = pair.summary->at.worst;
    QVERIFY(worst.index >= 0);
    const QPointF ring(plot.xAxis->coordToPixel(std::log10(std::fabs(worst.reference))),
                       plot.yAxis->coordToPixel(std::log10(worst.abs)));
    QSignalSpy picked(&scatter, &ScatterPlot::elementPicked);
    if (worst.reference != 0) {
        mouse(scatter, QEvent::MouseButtonPress, ring);
        mouse(scatter, QEvent::MouseButtonRelease, ring);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked[0][0].toLongLong(), worst.index);
    }
    const ScatterGrid& grid = scatter.grid();
    const auto most = std::max_element(grid.counts.begin(), grid.counts.end()) - grid.counts.begin();
    const int c = static_cast<int>(most) % grid.columns, r = static_cast<int>(most) / grid.columns;
    hover(scatter, {plot.xAxis->coordToPixel(ScatterGrid::columnStart(grid.firstColumn + c) + 0.07),
                    plot.yAxis->coordToPixel(ScatterGrid::rowStart(grid.firstRow + r) + 0.07)});
    QVERIFY(scatter.currentReadout());
    QCOMPARE(scatter.currentReadout()->title, QStringLiteral("%1 elements").arg(grid.count(c, r)));
    // The 300 zeros of the reference stand in the gutter at the left edge.
    hover(scatter, {plot.axisRect()->left() + 3.0, plot.yAxis->coordToPixel(std::log10(1e-3) - 0.2)});
    QVERIFY(scatter.currentReadout());
    QCOMPARE(scatter.currentReadout()->rows[0].second, QString("0"));
}

void TestPlots::dumpsShowAllAndTheSelectedPair() {
    TolerancePlot plane;
    plane.setComparison(samples::comparisonOf({{"a", 1e-4, 0}, {"b", 1e-6, 0}}));
    showAt(plane);
    QCOMPARE(plane.scene().curves.size(), std::size_t(1));
    plane.setSelectedTap(1);
    QCOMPARE(plane.scene().curves.size(), std::size_t(2));
    QCOMPARE(plane.scene().curves[1].label, QString("b"));
    plane.setSelectedTap(0);
    QCOMPARE(plane.scene().curves[0].label, QString("all judged pairs = a"));
    Tolerance either;
    either.rule = Rule::either;
    plane.setTolerance(either, false);
    QVERIFY(!plane.scene().curves[0].frontier.points.empty());
}

void TestPlots::emptyPlotsAreHarmless() {
    FaultsPlot faults;
    TolerancePlot plane;
    ScatterPlot scatter;
    auto none = std::make_shared<LiveResult>();
    none->together = samples::comparisonOf({{"out"}});
    showAt(faults, {160, 110});
    showAt(plane, {160, 110});
    showAt(scatter, {160, 110});
    faults.setData(none);
    plane.setData(none);
    scatter.setPair(&none->together->pairs[0]);
    for (PlotWidget* plot : std::initializer_list<PlotWidget*>{&faults, &plane, &scatter}) {
        hover(*plot, {60, 50});
        QVERIFY(!plot->image().isNull());
        plot->reset();
    }
    faults.setData(nullptr);
    plane.setData(nullptr);
    scatter.setPair(nullptr);
    QTest::qWait(20);
    plane.setTolerance({Rule::allclose, 0, 0}, true);
    faults.setTolerance({Rule::allclose, 0, 0});
    QTest::qWait(20);
    QCOMPARE(faults.rows().size(), std::size_t(0));
}

QTEST_MAIN(TestPlots)
#include "tst_plots.moc"
