#include "gui_test.h"
#include "plot_samples.h"
#include "views/widgets/tap_matrix.h"
#include <QSignalSpy>

using namespace divdet;

namespace {

TapMatrix::Row rowOf(const QString& name, int taps, int compared, int bad = -1) {
    std::vector<samples::PairRecipe> recipes;
    for (int i = 0; i < taps; ++i) {
        samples::PairRecipe recipe;
        recipe.name = "tap" + std::to_string(i);
        recipe.elements = 64;
        recipe.absolute = i == bad ? 1 : 1e-6;
        recipes.push_back(recipe);
    }
    auto c = std::make_shared<Comparison>(*samples::comparisonOf(recipes));
    for (int i = compared; i < taps; ++i) c->pairs[static_cast<std::size_t>(i)].summary.reset();
    return {name, c, std::make_shared<Judgement>(judge(*c, {}))};
}

} // namespace

class TestTapMatrix : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void columnsShareTaps();
    void worstWins();
    void clickAndKeys();
    void manyTapsAreMerged();
    void notComparedYetIsHatched();
    void absentTaps();
    void scrollsBeyondEight();
    void placesOnTheRamp();
};

void TestTapMatrix::columnsShareTaps() {
    QCOMPARE(columnStarts(5, 5), (std::vector<int>{0, 1, 2, 3, 4, 5}));
    QCOMPARE(columnStarts(10, 4), (std::vector<int>{0, 2, 5, 7, 10}));
    QCOMPARE(columnStarts(3, 9).size(), std::size_t(4));
    QCOMPARE(columnStarts(0, 9), (std::vector<int>{0}));
}

void TestTapMatrix::worstWins() {
    const TapCell none, fine{true, false, 1e-6, Verdict::within, 1},
        bad{true, false, 1e-2, Verdict::outside, 2};
    QCOMPARE(worseCell(fine, bad).tap, 2);
    QVERIFY(worseCell(bad, fine).verdict == Verdict::outside);
    QCOMPARE(worseCell(none, bad).tap, 2);
    QCOMPARE(worseCell(bad, none).tap, 2);
    QVERIFY(!worseCell(none, none).compared);
}

void TestTapMatrix::clickAndKeys() {
    TapMatrix matrix;
    matrix.setRows({rowOf("one", 20, 20), rowOf("two", 20, 20, 7)});
    matrix.resize(700, 160);
    matrix.show();
    QVERIFY(QTest::qWaitForWindowExposed(&matrix));
    QSignalSpy changed(&matrix, &TapMatrix::currentChanged);
    QTest::mouseClick(matrix.viewport(), Qt::LeftButton, {}, matrix.cellRect(1, 7).center().toPoint());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toInt(), 1);
    QCOMPARE(changed[0][1].toInt(), 7);
    QTest::keyClick(&matrix, Qt::Key_Right);
    QCOMPARE(matrix.currentTap(), 8);
    QTest::keyClick(&matrix, Qt::Key_Up);
    QCOMPARE(matrix.currentRow(), 0);
    QTest::keyClick(&matrix, Qt::Key_Up);
    QCOMPARE(changed.count(), 3); // at the edge nothing changes
    QVERIFY(matrix.textAt(matrix.cellRect(1, 7).center().toPoint()).contains("tap7"));
    QVERIFY(matrix.textAt(matrix.cellRect(1, 7).center().toPoint()).contains("OUTSIDE"));
    QVERIFY(matrix.textAt(QPoint(2, 2)).isEmpty());
    matrix.setCurrent(1, 3);
    QCOMPARE(changed.count(), 3); // only the user's moves are told
}

void TestTapMatrix::manyTapsAreMerged() {
    TapMatrix matrix;
    matrix.setRows({rowOf("one", 900, 900, 555)});
    matrix.resize(1400, 120);
    matrix.show();
    QVERIFY(QTest::qWaitForWindowExposed(&matrix));
    QCOMPARE(matrix.columnCount(), 400);
    QVERIFY(matrix.cellRect(0, 0).width() >= 2);
    int bad = 0;
    for (int c = 0; c < matrix.columnCount(); ++c)
        if (matrix.columnCell(0, c).verdict == Verdict::outside) bad = c;
    QCOMPARE(matrix.columnCell(0, bad).tap, 555);
    QSignalSpy changed(&matrix, &TapMatrix::currentChanged);
    QTest::mouseClick(matrix.viewport(), Qt::LeftButton, {}, matrix.cellRect(0, bad).center().toPoint());
    QCOMPARE(changed[0][1].toInt(), 555);
    matrix.resize(500, 120);
    QVERIFY(matrix.columnCount() < 400);
    QVERIFY(matrix.cellRect(0, 0).width() >= 2);
}

void TestTapMatrix::notComparedYetIsHatched() {
    TapMatrix matrix;
    matrix.setRows({rowOf("one", 10, 5), {"two", nullptr, nullptr}});
    matrix.resize(700, 140);
    QVERIFY(matrix.columnCell(0, 4).compared);
    QVERIFY(!matrix.columnCell(0, 5).compared);
    QVERIFY(!matrix.columnCell(1, 0).compared);
    QVERIFY(matrix.textAt(matrix.cellRect(0, 6).center().toPoint()).endsWith("not compared yet"));
    const QImage image = matrix.grab().toImage();
    const auto colours = [&](int column) {
        QSet<QRgb> seen;
        const QRect box = matrix.cellRect(0, column).toRect().adjusted(2, 2, -2, -2);
        for (int x = box.left(); x < box.right(); ++x)
            for (int y = box.top(); y < box.bottom(); ++y) seen << image.pixel(x, y);
        return seen.size();
    };
    QCOMPARE(colours(2), qsizetype(1));
    QVERIFY(colours(7) > 1);
}

void TestTapMatrix::absentTaps() {
    TapMatrix matrix;
    matrix.setRows({rowOf("one", 10, 10), rowOf("two", 6, 6)});
    QCOMPARE(matrix.tapCount(), 10);
    QVERIFY(matrix.columnCell(1, 8).absent);
    matrix.setRows({});
    QCOMPARE(matrix.tapCount(), 0);
    QVERIFY(!matrix.grab().isNull());
}

void TestTapMatrix::scrollsBeyondEight() {
    TapMatrix matrix;
    std::vector<TapMatrix::Row> rows;
    for (int i = 0; i < 20; ++i) rows.push_back(rowOf(QString::number(i), 4, 4));
    matrix.setRows(std::move(rows));
    matrix.resize(700, matrix.sizeHint().height());
    matrix.show();
    QVERIFY(QTest::qWaitForWindowExposed(&matrix));
    matrix.setCurrent(19, 0);
    QVERIFY(matrix.cellRect(19, 0).bottom() < matrix.height());
    QVERIFY(matrix.cellRect(0, 0).bottom() < 24);
}

void TestTapMatrix::placesOnTheRamp() {
    QCOMPARE(matrixPlace(0), 0.0);
    QCOMPARE(matrixPlace(1e-4), 0.5);
    QCOMPARE(matrixPlace(7), 1.0);
    QCOMPARE(matrixPlace(INFINITY), 1.0);
}

QTEST_MAIN(TestTapMatrix)
#include "tst_tap_matrix.moc"
