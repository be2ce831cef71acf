#include "gui_test.h"
#include "views/widgets/tol_slider.h"
#include <QAccessible>
#include <QSignalSpy>
#include <cmath>
#include <limits>

using namespace divdet;

class TestTolSlider : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void scaleRoundTrips();
    void endStop();
    void stepsAreTenthsOfADecade();
    void keys();
    void wheelCountsNotches();
    void dragging();
    void pressOnTheHandleDoesNotMoveIt();
    void neededValues();
    void setValueIsSilent();
    void accessibleValue();
};

void TestTolSlider::scaleRoundTrips() {
    const TolScale scale{480, 22};
    for (const double value : {1e-9, 1.3e-6, 1e-5, 8.2e-3, 1e-2, 0.5, 1.0})
        QVERIFY(std::abs(std::log10(scale.valueAt(scale.positionOf(value)) / value)) < 0.005);
    QCOMPARE(scale.positionOf(1e-9), 22.0);
    QCOMPARE(scale.positionOf(1), 480.0);
    QCOMPARE(scale.positionOf(7), 480.0); // typed beyond the end
    QCOMPARE(scale.valueAt(10000), 1.0);
    QCOMPARE(scale.valueAt(scale.positionOf(1e-5)), 1e-5); // exactly the double of the digits
}

void TestTolSlider::endStop() {
    const TolScale scale{200, 22};
    QCOMPARE(scale.positionOf(0), 0.0);
    QCOMPARE(scale.valueAt(-5), 0.0);
    QCOMPARE(scale.valueAt(10.9), 0.0);
    QCOMPARE(scale.valueAt(11.1), 1e-9);
}

void TestTolSlider::stepsAreTenthsOfADecade() {
    double value = 1e-2;
    QList<double> down;
    for (int i = 0; i < 10; ++i) down << (value = TolScale::stepped(value, -1));
    QCOMPARE(down, (QList<double>{7.9e-3, 6.3e-3, 5e-3, 4e-3, 3.2e-3, 2.5e-3, 2e-3, 1.6e-3, 1.3e-3, 1e-3}));
    for (int i = 0; i < 10; ++i) value = TolScale::stepped(value, 1);
    QCOMPARE(value, 1e-2);
    QCOMPARE(TolScale::stepped(8.2e-3, 1), 1e-2); // between two: the next one
    QCOMPARE(TolScale::stepped(8.2e-3, -1), 7.9e-3);
    QCOMPARE(TolScale::stepped(1e-9, -1), 0.0);
    QCOMPARE(TolScale::stepped(0, -1), 0.0);
    QCOMPARE(TolScale::stepped(0, 1), 1e-9);
    QCOMPARE(TolScale::stepped(1, 1), 1.0);
    QCOMPARE(TolScale::stepped(1e-3, 10), 1e-2);
    QCOMPARE(TolScale::stepped(1e-12, 1), 1e-9);
    QCOMPARE(TolScale::stepped(2, 1), 2.0);
    QCOMPARE(TolScale::stepped(2, -1), 1.0);
    for (int k = 1; k < 90; ++k) { // never stuck, in either direction
        const double at = TolScale::stepped(1e-9, k);
        QVERIFY(TolScale::stepped(at, 1) > at);
        QVERIFY(TolScale::stepped(at, -1) < at);
    }
}

void TestTolSlider::keys() {
    TolSlider slider("rtol");
    slider.setValue(1e-2);
    QSignalSpy changed(&slider, &TolSlider::valueChanged);
    QSignalSpy released(&slider, &TolSlider::released);
    slider.show();
    QTest::keyClick(&slider, Qt::Key_Left);
    QCOMPARE(slider.value(), 7.9e-3);
    QTest::keyClick(&slider, Qt::Key_Up);
    QCOMPARE(slider.value(), 1e-2);
    QTest::keyClick(&slider, Qt::Key_PageDown);
    QCOMPARE(slider.value(), 1e-3);
    QTest::keyClick(&slider, Qt::Key_Home);
    QCOMPARE(slider.value(), 0.0);
    QTest::keyClick(&slider, Qt::Key_Home); // already there: nothing is told
    QTest::keyClick(&slider, Qt::Key_End);
    QCOMPARE(slider.value(), 1.0);
    QCOMPARE(changed.size(), 5);
    QCOMPARE(released.size(), 5);
}

void TestTolSlider::wheelCountsNotches() {
    TolSlider slider("rtol");
    slider.setValue(1e-3);
    slider.show();
    const auto turn = [&](int angle) {
        QWheelEvent event(QPointF(50, 15), slider.mapToGlobal(QPointF(50, 15)), {}, QPoint(0, angle),
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&slider, &event);
    };
    turn(120);
    QCOMPARE(slider.value(), 1.3e-3);
    turn(-60);
    QCOMPARE(slider.value(), 1.3e-3); // half a notch
    turn(-60);
    QCOMPARE(slider.value(), 1e-3);
}

void TestTolSlider::dragging() {
    TolSlider slider("rtol");
    slider.resize(498, 40);
    slider.setValue(1e-2);
    slider.show();
    QSignalSpy changed(&slider, &TolSlider::valueChanged);
    QSignalSpy released(&slider, &TolSlider::released);
    const auto at = [&](double value) { return QPoint(qRound(slider.xOf(value)), 15); };
    QTest::mousePress(&slider, Qt::LeftButton, {}, at(1e-2));
    QVERIFY(slider.dragging());
    QTest::mouseMove(&slider, at(1e-4));
    QVERIFY(std::abs(std::log10(slider.value() / 1e-4)) < 0.03);
    QTest::mouseMove(&slider, at(1e-5));
    QVERIFY(std::abs(std::log10(slider.value() / 1e-5)) < 0.03);
    QVERIFY(changed.size() >= 2);
    QCOMPARE(released.size(), 0);
    QTest::mouseMove(&slider, QPoint(0, 15));
    QCOMPARE(slider.value(), 0.0);
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, QPoint(0, 15));
    QCOMPARE(released.size(), 1);
    QVERIFY(!slider.dragging());
    QTest::mousePress(&slider, Qt::LeftButton, {}, at(1e-3)); // on the track: it goes there
    QVERIFY(std::abs(std::log10(slider.value() / 1e-3)) < 0.03);
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, at(1e-3));
}

void TestTolSlider::pressOnTheHandleDoesNotMoveIt() {
    TolSlider slider("rtol");
    slider.resize(498, 40);
    slider.setValue(1.23e-4);
    slider.show();
    QSignalSpy changed(&slider, &TolSlider::valueChanged);
    const QPoint off(qRound(slider.xOf(1.23e-4)) + 6, 15);
    QTest::mousePress(&slider, Qt::LeftButton, {}, off);
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, off);
    QCOMPARE(slider.value(), 1.23e-4);
    QCOMPARE(changed.size(), 0);
}

void TestTolSlider::neededValues() {
    TolSlider slider("rtol");
    slider.resize(300, 40);
    slider.setValue(1e-2);
    QVERIFY(std::isnan(slider.flipX())); // unknown
    slider.setNeeded(8.2e-3);
    QCOMPARE(slider.flipX(), slider.xOf(8.2e-3));
    QCOMPARE(slider.accessibleDescription(), "1e-2, passes from 8.2e-3");
    slider.setNeeded(0);
    QVERIFY(std::isnan(slider.flipX()));
    QCOMPARE(slider.accessibleDescription(), "1e-2, every value passes");
    slider.setNeeded(std::numeric_limits<double>::infinity());
    QVERIFY(std::isnan(slider.flipX()));
    QCOMPARE(slider.accessibleDescription(), "1e-2, no value passes");
    slider.setNeeded(1e-12); // between the stop and 1e-9
    QVERIFY(slider.flipX() > slider.xOf(0) && slider.flipX() < slider.xOf(1e-9));

    // What is painted: outside left of the flip, within right of it.
    slider.setNeeded(1e-5);
    slider.setValue(1);
    const QImage image = slider.grab().toImage();
    const Theme& theme = Theme::current();
    const auto pixel = [&](double value) { return image.pixelColor(qRound(slider.xOf(value)), 15); };
    QCOMPARE(pixel(1e-7), theme.blend(Token::outsideSolid, Token::panel, 0.55));
    QCOMPARE(pixel(1e-3), theme.blend(Token::withinSolid, Token::panel, 0.75));
}

void TestTolSlider::setValueIsSilent() {
    TolSlider slider("rtol");
    QSignalSpy changed(&slider, &TolSlider::valueChanged);
    slider.setValue(1e-4);
    slider.setValue(std::numeric_limits<double>::quiet_NaN());
    slider.setValue(-1);
    QCOMPARE(slider.value(), 1e-4);
    QCOMPARE(changed.size(), 0);
}

void TestTolSlider::accessibleValue() {
    TolSlider slider("rtol");
    slider.setValue(1e-4);
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&slider);
    QVERIFY(face && face->role() == QAccessible::Slider);
    QCOMPARE(face->text(QAccessible::Name), "rtol");
    QVERIFY(face->valueInterface());
    QCOMPARE(face->valueInterface()->currentValue().toDouble(), 1e-4);
    QSignalSpy changed(&slider, &TolSlider::valueChanged);
    face->valueInterface()->setCurrentValue(1e-3);
    QCOMPARE(slider.value(), 1e-3);
    QCOMPARE(changed.size(), 1);
}

QTEST_MAIN(TestTolSlider)
#include "tst_tol_slider.moc"
