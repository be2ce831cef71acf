#include "gui_test.h"
#include "plot_samples.h"
#include "plots/fault_rows.h"
#include "plots/frontier_curve.h"
#include "plots/label_layout.h"
#include "plots/log_ticks.h"
#include "plots/pass_text.h"
#include "plots/scatter_grid.h"
#include "plots/tolerance_plot.h"
#include "plots/view_range.h"
#include "plots/window.h"

using namespace divdet;

namespace {

Frontier frontierOf(std::initializer_list<FrontierPoint> points) {
    FrontierBuilder builder;
    for (const FrontierPoint& p : points) builder.add(p.magnitude, p.error);
    return builder.finish();
}

} // namespace

/// Drawing maths; no widget is shown.
class TestPlotMaths : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void ticksAreDecades();
    void ticksThinOut_data();
    void ticksThinOut();
    void closeTicksAreValues();
    void samplesAgreeWithTheFrontier_data();
    void samplesAgreeWithTheFrontier();
    void samplesOfSeveralPairsAreTheLargestNeed();
    void curveEndsWhereNoAtolIsNeeded();
    void equalCurvesAreFound();
    void windowLiesBetweenDriftAndBug();
    void windowsOfARun();
    void saneWindowOfARun();
    void saneWindowSaysWhyThereIsNone();
    void lowerEnvelopeEndsWithTheFirst();
    void labelsDoNotTouch();
    void handleStaysOnThePath();
    void zoomKeepsThePlaceUnderTheMouse();
    void gridLosesNoElement();
    void rowsInPassOrder();
    void variantsAreWords();
};

void TestPlotMaths::ticksAreDecades() {
    const LogTicks t = logTicks(-6, 0, 600, 62);
    QCOMPARE(t.labels, QStringList({"1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "1e-1", "1", "10"}));
    QVERIFY(t.minor.contains(-6 + std::log10(2)));
    QVERIFY(logTicks(0, 0, 100, 10).major.isEmpty());
    QVERIFY(logTicks(0, 1, 0, 10).major.isEmpty());
    QCOMPARE(logOr(0, -9), -9.0);
    QCOMPARE(logOr(1e-3, -9), -3.0);
    QCOMPARE(logOr(INFINITY, -9), 400.0);
    QCOMPARE(logOr(NAN, -9), -9.0);
}

void TestPlotMaths::ticksThinOut_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<double>("length");
    for (double length : {90.0, 200.0, 333.0, 700.0})
        for (double high : {-8.0, -3.5, 4.0, 30.0})
            QTest::addRow("%g px to 1e%g", length, high) << -9.0 << high << length;
}

void TestPlotMaths::ticksThinOut() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(double, length);
    const LogTicks t = logTicks(low, high, length, 62);
    QVERIFY(!t.major.isEmpty());
    QCOMPARE(t.major.size(), t.labels.size());
    for (int i = 1; i < t.major.size(); ++i)
        if (t.major[i] - t.major[i - 1] >= 1)
            QVERIFY((t.major[i] - t.major[i - 1]) * length / (high - low) >= 61.9);
}

void TestPlotMaths::closeTicksAreValues() {
    QVERIFY(logTicks(-3, -2, 500, 62).labels.contains("2e-3"));
    const LogTicks near = logTicks(std::log10(0.0100), std::log10(0.0104), 400, 62);
    QVERIFY(near.major.size() >= 2);
    QVERIFY2(near.labels.contains("1.02e-2"), qPrintable(near.labels.join(' ')));
}

void TestPlotMaths::samplesAgreeWithTheFrontier_data() {
    QTest::addColumn<int>("rule");
    QTest::newRow("sum") << 0;
    QTest::newRow("either") << 1;
}

void TestPlotMaths::samplesAgreeWithTheFrontier() {
    QFETCH(int, rule);
    const Rule r = rule ? Rule::either : Rule::allclose;
    const Frontier f = frontierOf({{1e-3, 1e-4}, {0.1, 2e-4}, {1, 9e-4}, {2, 1e-3}});
    const auto points = sampleFrontier(f, r, 1e-6, 1);
    QVERIFY(points.size() > 100);
    for (std::size_t i = 0; i < points.size(); ++i) {
        QCOMPARE(points[i].atol, f.neededAtol(r, points[i].rtol));
        if (i == 0) continue;
        QVERIFY(points[i].rtol > points[i - 1].rtol);
        QVERIFY(points[i].atol <= points[i - 1].atol);
    }
    for (const auto& [rtol, atol] : f.corners(r)) {
        if (rtol < 1e-6 || rtol > 1) continue;
        const bool there =
            std::any_of(points.begin(), points.end(), [&](const CurvePoint& p) { return p.rtol == rtol; });
        QVERIFY2(there || points.back().rtol <= rtol, qPrintable(QString::number(rtol)));
    }
    // Between samples the drawn line stays within 2 % of the truth away from the steep end.
    for (double rtol = 2e-6; rtol < 0.02; rtol *= 1.37)
        if (r == Rule::allclose)
            QVERIFY(std::fabs(*curveAtol(points, rtol) / f.neededAtol(r, rtol) - 1) < 0.02);
}

void TestPlotMaths::samplesOfSeveralPairsAreTheLargestNeed() {
    const auto comparison =
        samples::comparisonOf({{"a", 1e-4, 0}, {"b", 0, 1e-2, 3}, {"c", 1, 0, 1, 4096, false}});
    const FrontierCurve curve = judgedCurve(*comparison, {}, 1e-6, 1);
    QVERIFY(!curve.never && !curve.always);
    for (const CurvePoint& p : curve.points) {
        Tolerance t;
        t.rtol = p.rtol;
        QCOMPARE(p.atol, neededAtol(*comparison, t));
    }
    const auto broken = samples::comparisonOf({{"a", 1e-4, 0, 1, 4096, true, 0, 2}});
    QVERIFY(judgedCurve(*broken, {}, 1e-6, 1).never);
    const auto equal = samples::comparisonOf({{"a"}});
    QVERIFY(judgedCurve(*equal, {}, 1e-6, 1).always);
}

void TestPlotMaths::curveEndsWhereNoAtolIsNeeded() {
    const auto points = sampleFrontier(frontierOf({{1, 1e-3}}), Rule::allclose, 1e-6, 1);
    QCOMPARE(points.back().atol, 0.0);
    QVERIFY(std::fabs(points.back().rtol - 1e-3) < 1e-9);
    QVERIFY(!curveAtol(points, 0.5));
    QVERIFY(!curveAtol(points, 1e-9));
    QVERIFY(curveAtol(points, 1e-4));
    QVERIFY(sampleFrontier(Frontier(), Rule::allclose, 1e-6, 1).empty());
}

void TestPlotMaths::equalCurvesAreFound() {
    const auto a = sampleFrontier(frontierOf({{1, 1e-3}}), Rule::allclose, 1e-6, 1);
    const auto b = sampleFrontier(frontierOf({{1, 1.01e-3}}), Rule::allclose, 1e-6, 1);
    const auto c = sampleFrontier(frontierOf({{1, 2e-3}}), Rule::allclose, 1e-6, 1);
    QVERIFY(sameCurve(a, a, 0.02));
    QVERIFY(sameCurve(a, b, 0.02));
    QVERIFY(!sameCurve(a, c, 0.02));
    QVERIFY(!sameCurve(a, {}, 0.02));
}

void TestPlotMaths::windowLiesBetweenDriftAndBug() {
    const auto open = linkedWindow(8.2e-3, 2.0e-2);
    QVERIFY(open);
    QCOMPARE(open->rtol, std::sqrt(8.2e-3 * 2.0e-2));
    QCOMPARE(open->atol, linkedAtol(open->rtol));
    QVERIFY(!linkedWindow(8.2e-3, 7.2e-3));
    QVERIFY(!linkedWindow(8.2e-3, 8.2e-3));
    QVERIFY(!linkedWindow(INFINITY, INFINITY));
    QCOMPARE(linkedWindow(1e-4, INFINITY)->rtolHigh, 1.0);
    QCOMPARE(linkedWindow(0, 1e-2)->rtolLow, 1e-9);
}

void TestPlotMaths::windowsOfARun() {
    const auto live = samples::liveOf(false);
    const auto windows = bugWindows(*live, {});
    QCOMPARE(windows.size(), std::size_t(2));
    const BugWindow* chosen = chosenWindow(windows);
    QCOMPARE(chosen->bug.variant, std::string("bf16"));
    QVERIFY(chosen->window);
    QCOMPARE(chosen->worstDrift, QString("int8"));
    // In its middle drift passes and the bug does not.
    const Tolerance middle{Rule::allclose, chosen->window->rtol, chosen->window->atol};
    QVERIFY(judge(*live->alone[2].comparison, middle).verdict == Verdict::within);
    QVERIFY(judge(*live->alone[3].comparison, middle).verdict == Verdict::outside);
    QVERIFY(!windows[1].window);
    const ToleranceScene scene = sceneOf(*live, Tolerance{});
    QVERIFY(noWindowText(scene).isEmpty());
    QCOMPARE(scene.curves.back().label, QString("all together = int8"));
    QCOMPARE(scene.curves.size(), std::size_t(6));

    auto without = std::make_shared<LiveResult>(*live);
    without->alone.erase(without->alone.begin() + 3);
    const ToleranceScene closed = sceneOf(*without, Tolerance{});
    QVERIFY(!closed.window->window);
    QVERIFY(noWindowText(closed).startsWith("no window: fp16 accumulator needs rtol"));
}

void TestPlotMaths::saneWindowOfARun() {
    const auto live = samples::liveOf(false);
    const auto sane = samples::saneOf(*live);
    for (const Rule rule : {Rule::allclose, Rule::either}) {
        const Tolerance t{rule, 1e-2, 1e-3, false, {}};
        const ToleranceScene scene = sceneOf(*live, t, sane.get());
        QVERIFY(scene.sane && scene.sane->line);
        QVERIFY(scene.windowOpen());
        QCOMPARE(scene.sane->text, QString("1 of 2 bugs fail")); // fp16 needs less than int8
        QVERIFY(noWindowText(scene).isEmpty());
        const TolerancePair middle = scene.sane->line->middle;
        const auto low = curveAtol(scene.windowLow, middle.rtol),
                   high = curveAtol(scene.windowHigh, middle.rtol);
        QVERIFY(high && low.value_or(0) < middle.atol && middle.atol < *high);
        // What is shaded is what it says: a place between the edges lets drift pass and the bug fail.
        for (double rtol = 1e-6; rtol < 1e-2; rtol *= 3) {
            const auto from = curveAtol(scene.windowLow, rtol), to = curveAtol(scene.windowHigh, rtol);
            if (!from || !to || *to < *from * 1.2) continue;
            const Tolerance between{rule, rtol, std::sqrt(*from * *to), false, {}};
            for (std::size_t i = 0; i < 4; ++i)
                QVERIFY(judge(*live->alone[i].comparison, between).verdict ==
                        (i < 3 ? Verdict::within : Verdict::outside));
        }
    }
    // Until it is found the window is that of one bug.
    QVERIFY(!sceneOf(*live, {}).sane);
}

void TestPlotMaths::saneWindowSaysWhyThereIsNone() {
    auto live = std::make_shared<LiveResult>(*samples::liveOf(false));
    live->alone.erase(live->alone.begin() + 3);
    const ToleranceScene scene = sceneOf(*live, {}, samples::saneOf(*live).get());
    QVERIFY(!scene.windowOpen());
    QVERIFY2(noWindowText(scene).startsWith("no window: every bug needs no more than int8’s rtol"),
             qPrintable(noWindowText(scene)));
}

void TestPlotMaths::lowerEnvelopeEndsWithTheFirst() {
    const auto steep = sampleFrontier(frontierOf({{1, 1e-3}}), Rule::allclose, 1e-6, 1);
    const auto flat = sampleFrontier(frontierOf({{1e-3, 5e-4}}), Rule::allclose, 1e-6, 1);
    const auto both = lowerEnvelope({steep, flat});
    QCOMPARE(both.back().atol, 0.0);
    QCOMPARE(both.back().rtol, steep.back().rtol);
    for (const CurvePoint& p : both)
        QVERIFY(p.atol <= curveAtol(flat, p.rtol).value_or(0) &&
                p.atol <= curveAtol(steep, p.rtol).value_or(0));
    QCOMPARE(both.front().atol, flat.front().atol);
    // One that nothing ends bounds nothing.
    QVERIFY(lowerEnvelope({steep, {{1e-6, 1e30}, {1, 1e30}}}).back().atol == 0);
}

void TestPlotMaths::labelsDoNotTouch() {
    const QRectF area(0, 0, 300, 200);
    std::vector<LabelWish> wishes;
    for (int i = 0; i < 5; ++i) {
        const QVector<QPointF> curve{{0, 100.0 + 6 * i}, {300, 100.0 + 6 * i}};
        wishes.push_back({curveLabelPlaces(curve, {60, 14}, area, 3), i == 4 ? 9 : 0});
    }
    const QVector<QRectF> taken{QRectF(140, 90, 20, 20)};
    const auto placed = placeLabels(wishes, area, taken);
    QCOMPARE(placed[4], wishes[4].places.front());
    int shown = 0;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (placed[i].isNull()) continue;
        ++shown;
        QVERIFY(area.contains(placed[i]));
        QVERIFY(!placed[i].intersects(taken.front()));
        for (std::size_t j = 0; j < i; ++j) QVERIFY(!placed[i].intersects(placed[j]));
    }
    QVERIFY(shown >= 4);
    QVERIFY(curveLabelPlaces({}, {60, 14}, area, 3).isEmpty());
}

void TestPlotMaths::handleStaysOnThePath() {
    for (double rtol : {1e-8, 1e-5, 1e-2, 0.5}) {
        const auto [r, a] = nearestOnPath(std::log10(rtol), std::log10(linkedAtol(rtol)), 55, 56);
        QVERIFY(std::fabs(r / rtol - 1) < 0.05);
        QCOMPARE(a, linkedAtol(r));
    }
    QCOMPARE(nearestOnPath(3, 9, 55, 56).first, 1.0);
    QCOMPARE(nearestOnPath(-30, -30, 55, 56).first, 1e-9);
    QCOMPARE(roundedTolerance(std::log10(1.2345e-3)), 1.2e-3);
}

void TestPlotMaths::zoomKeepsThePlaceUnderTheMouse() {
    const ViewRange in = zoomedAt({-6, 0}, -2, 0.5);
    QCOMPARE(in.size(), 3.0);
    QCOMPARE((-2 - in.low) / in.size(), 4.0 / 6);
    QCOMPARE(zoomedAt({0, 1e-3}, 0, 0.5).size(), 1e-3);
    QCOMPARE(ordered(2, 1), (ViewRange{1, 2}));
    QVERIFY(ordered(1, 1).size() > 0);
}

void TestPlotMaths::gridLosesNoElement() {
    samples::PairRecipe recipe{"a", 1e-4, 1e-3};
    recipe.zeros = 100;
    const TapPair pair = samples::pairOf(recipe);
    const ScatterGrid grid = scatterGrid(pair.summary->histogram);
    std::int64_t sum = grid.bothZero;
    for (const auto* list : {&grid.counts, &grid.zeroError, &grid.zeroReference})
        for (std::int64_t n : *list) sum += n;
    QCOMPARE(sum, pair.summary->finite);
    std::int64_t zeros = grid.bothZero;
    for (std::int64_t n : grid.zeroReference) zeros += n;
    QCOMPARE(zeros, std::int64_t(100));
    const int column = ErrorHistogram::column(0.3);
    const double start = ScatterGrid::columnStart(column);
    QVERIFY(start <= std::log10(0.3) && std::log10(0.3) < start + ScatterGrid::kBin);
    const int row = ErrorHistogram::row(1e-5);
    QVERIFY(ScatterGrid::rowStart(row) <= -5 && -5 < ScatterGrid::rowStart(row) + ScatterGrid::kBin);
    QCOMPARE(scatterGrid(ErrorHistogram()).columns, 0);
}

void TestPlotMaths::rowsInPassOrder() {
    auto live = std::make_shared<LiveResult>(*samples::liveOf(true));
    std::reverse(live->request.passes.begin(), live->request.passes.end());
    const auto rows = faultRows(*live, {});
    QStringList ids;
    for (const FaultRow& row : rows) ids << row.id;
    QCOMPARE(ids, QStringList({"reassociate", "tf32", "int8", "wrong-accumulator", "all together"}));
    QVERIFY(rows[3].bug && rows[4].together);
    QVERIFY(rows[2].verdict == Verdict::within);
    QVERIFY(rows[4].verdict == Verdict::outside);
    QVERIFY(rows[3].needsRtol > 1e-2);
    live->alone.clear();
    const auto partial = faultRows(*live, {});
    QVERIFY(partial[0].pending && !partial[4].pending);
    live->request.passes.clear();
    QVERIFY(faultRows(*live, {}).empty());
}

void TestPlotMaths::variantsAreWords() {
    QCOMPARE(variantText("splitk:8"), QString("split-K 8"));
    QCOMPARE(variantText("per-token"), QString("per token"));
    QCOMPARE(variantText("group:32"), QString("group 32"));
    QCOMPARE(curveText({"wrong-accumulator", "bf16", {}}), QString("bf16 accumulator (bug)"));
    QCOMPARE(curveText({"tf32", "rne", {}}), QString("tf32"));
}

QTEST_MAIN(TestPlotMaths)
#include "tst_plot_maths.moc"
