#include "gui/number_format.h"
#include "gui_test.h"
#include <cmath>
#include <cstdlib>
#include <limits>

using namespace divdet;

namespace {
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
} // namespace

class TestNumberFormat : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void errors_data();
    void errors();
    void shortPlaces();
    void tolerances();
    void counts();
    void sharesNeverReachTheirEnds();
    void ulpsAndSigmas();
    void ratiosAndDecibels();
    void indicesAndShapes();
    void times();
    void specialValuesAreTheSameEverywhere();
    void decadeLabels();
    void fullPrecisionReadsBack();
    void typedTolerance_data();
    void typedTolerance();
    void refusedTolerance_data();
    void refusedTolerance();
    void shownTolerancesCanBeTypedBack();
};

void TestNumberFormat::errors_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("below 0.01") << 9.59e-4 << "9.59e-4";
    QTest::newRow("zeros kept, exponent") << 1.9e10 << "1.90e10";
    QTest::newRow("0.01 up") << 0.0297 << "0.0297";
    QTest::newRow("zeros kept") << 0.1 << "0.100";
    QTest::newRow("tens") << 34.6 << "34.6";
    QTest::newRow("comma") << 2509.0 << "2,509";
    QTest::newRow("four digits stay whole") << 1461.4 << "1,461";
    QTest::newRow("10,000") << 10000.0 << "1.00e4";
    QTest::newRow("rounds up to 0.01") << 0.0099999 << "0.0100";
    QTest::newRow("rounds up a decade") << 9.996 << "10.0";
    QTest::newRow("rounds up to 1,000") << 999.7 << "1,000";
    QTest::newRow("rounds up to 10,000") << 9999.7 << "1.00e4";
    QTest::newRow("negative, hyphen") << -2509.0 << "-2,509";
    QTest::newRow("denormal") << 4.94e-324 << "4.94e-324";
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("negative zero") << -0.0 << "0";
}

void TestNumberFormat::errors() {
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(num::error(value), text);
}

void TestNumberFormat::shortPlaces() {
    QCOMPARE(num::shortError(9.59e-4), "9.6e-4");
    QCOMPARE(num::shortError(0.172), "0.172");
    QCOMPARE(num::shortError(1.9e9), "1.9e9");
    QCOMPARE(num::neededTolerance(8.21e-3), "8.2e-3");
    QCOMPARE(num::neededTolerance(0.0191), "1.9e-2");
    QCOMPARE(num::neededTolerance(0.17), "0.17");
    QCOMPARE(num::neededTolerance(2.0), "2.0");
    QCOMPARE(num::neededTolerance(0.0999), "0.10");
}

void TestNumberFormat::tolerances() {
    QCOMPARE(num::tolerance(1e-5), "1e-5");
    QCOMPARE(num::tolerance(1.3e-6), "1.3e-6");
    QCOMPARE(num::tolerance(1e-2), "1e-2");
    QCOMPARE(num::tolerance(0.5), "0.5");
    QCOMPARE(num::tolerance(1), "1");
    QCOMPARE(num::tolerance(0), "0");
}

void TestNumberFormat::counts() {
    QCOMPARE(num::count(0), "0");
    QCOMPARE(num::count(999), "999");
    QCOMPARE(num::count(32768), "32,768");
    QCOMPARE(num::count(8388608), "8,388,608");
    QCOMPARE(num::count(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
    QCOMPARE(num::countOf(31808, 32768), "31,808 of 32,768");
}

void TestNumberFormat::sharesNeverReachTheirEnds() {
    QCOMPARE(num::share(0.996), "99.6 %");
    QCOMPARE(num::share(0.99999), "> 99.9 %");
    QCOMPARE(num::share(0.0000001), "< 0.1 %");
    QCOMPARE(num::share(0.027), "2.7 %");
    QCOMPARE(num::share(1), "100 %");
    QCOMPARE(num::share(0), "0 %");
    QCOMPARE(num::share(notANumber), "–");
    QCOMPARE(num::wholeShare(0.82), "82 %");
    QCOMPARE(num::wholeShare(0.999), "> 99 %");
    QCOMPARE(num::wholeShare(1.001), "> 100 %");
    QCOMPARE(num::wholeShare(0.001), "< 1 %");
}

void TestNumberFormat::ulpsAndSigmas() {
    QCOMPARE(num::ulps(8), "8");
    QCOMPARE(num::ulps(49152), "49,152");
    QCOMPARE(num::ulps(99999), "99,999");
    QCOMPARE(num::ulps(131072), "1.3e5");
    QCOMPARE(num::ulps(1.9e9), "1.9e9");
    QCOMPARE(num::z(1), "1.00");
    QCOMPARE(num::z(2.718), "2.72");
    QCOMPARE(num::z(9.996), "10.0");
    QCOMPARE(num::z(89.04), "89.0");
}

void TestNumberFormat::ratiosAndDecibels() {
    QCOMPARE(num::ratio(1.9), "1.9 ×");
    QCOMPARE(num::ratio(822.3), "822 ×");
    QCOMPARE(num::ratio(9.96), "10 ×");
    QCOMPARE(num::ratio(0.012), "1.2e-2 ×");
    QCOMPARE(num::decibel(73.24), "73.2 dB");
    QCOMPARE(num::decibel(0), "0.0 dB");
    QCOMPARE(num::decibel(infinite), "inf dB");
}

void TestNumberFormat::indicesAndShapes() {
    QCOMPARE(num::index(std::array<std::int64_t, 2>{47, 104}), "[47, 104]");
    QCOMPARE(num::index(std::span<const std::int64_t>{}), "[]");
    QCOMPARE(num::shape(std::array<std::int64_t, 2>{64, 2048}), "64 × 2,048");
    QCOMPARE(num::shape(std::span<const std::int64_t>{}), "scalar");
}

void TestNumberFormat::times() {
    QCOMPARE(num::seconds(0.12), "0.12 s");
    QCOMPARE(num::seconds(0.00139), "1.39 ms");
    QCOMPARE(num::seconds(38.1e-6), "38.1 µs");
    QCOMPARE(num::seconds(12.34), "12.3 s");
    QCOMPARE(num::seconds(125), "2 min 5 s");
    QCOMPARE(num::seconds(0), "0 s");
}

void TestNumberFormat::specialValuesAreTheSameEverywhere() {
    for (QString (*write)(double) :
         {num::error, num::shortError, num::tolerance, num::neededTolerance, num::ulps, num::z}) {
        QCOMPARE(write(notANumber), "nan");
        QCOMPARE(write(infinite), "inf");
        QCOMPARE(write(-infinite), "-inf");
    }
    QCOMPARE(num::notApplicable(), "–");
}

void TestNumberFormat::decadeLabels() {
    QCOMPARE(num::decadeLabel(-5), "1e-5");
    QCOMPARE(num::decadeLabel(0), "1");
    QCOMPARE(num::decadeLabel(3), "1000");
    QCOMPARE(num::decadeLabel(4), "1e4");
}

void TestNumberFormat::fullPrecisionReadsBack() {
    for (const float value : {0.1f, 1.17549435e-38f, 3.40282347e38f, -1.0f / 3.0f})
        QVERIFY(std::strtof(num::fullPrecision(value).toLatin1(), nullptr) == value);
    QCOMPARE(num::fullPrecision(0.1f), "0.100000001");
    QCOMPARE(num::fullPrecision(1.0 / 3.0).toDouble(), 1.0 / 3.0);
    QCOMPARE(num::fullPrecision(std::numeric_limits<float>::quiet_NaN()), "nan");
}

void TestNumberFormat::typedTolerance_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    QTest::newRow("exponent") << "1e-5" << 1e-5;
    QTest::newRow("decimal") << "0.00001" << 1e-5;
    QTest::newRow("capital E, leading zero") << "1.3E-06" << 1.3e-6;
    QTest::newRow("white space") << "  1e-5 " << 1e-5;
    QTest::newRow("typographic minus") << "1e−5" << 1e-5;
    QTest::newRow("zero") << "0" << 0.0;
    QTest::newRow("beyond the slider") << "2" << 2.0;
    QTest::newRow("no leading zero") << ".5" << 0.5;
}

void TestNumberFormat::typedTolerance() {
    QFETCH(QString, text);
    QFETCH(double, value);
    QString why = QStringLiteral("stale");
    const auto read = num::parseTolerance(text, &why);
    QVERIFY2(read, qPrintable(why));
    QCOMPARE(*read, value);
    QVERIFY(why.isEmpty());
    QVERIFY(num::parseTolerance(text)); // without a place for the reason
}

void TestNumberFormat::refusedTolerance_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why");
    QTest::newRow("cut short") << "1e-"
                               << "“1e-” is not a number. Write 1e-5 or 0.00001.";
    QTest::newRow("comma") << "0,5"
                           << "“0,5” is not a number. Write 1e-5 or 0.00001.";
    QTest::newRow("group") << "1,000"
                           << "“1,000” is not a number. Write 1e-5 or 0.00001.";
    QTest::newRow("words") << "small"
                           << "“small” is not a number. Write 1e-5 or 0.00001.";
    QTest::newRow("nan") << "nan"
                         << "“nan” is not a number. Write 1e-5 or 0.00001.";
    QTest::newRow("inf") << "inf"
                         << "“inf” would pass anything. Write a finite number.";
    QTest::newRow("negative") << "-1e-3"
                              << "“-1e-3” is negative. A tolerance is 0 or more.";
    QTest::newRow("empty") << " "
                           << "The field is empty. Write 1e-5 or 0.00001.";
}

void TestNumberFormat::refusedTolerance() {
    QFETCH(QString, text);
    QFETCH(QString, why);
    QString said;
    QVERIFY(!num::parseTolerance(text, &said));
    QCOMPARE(said, why);
}

void TestNumberFormat::shownTolerancesCanBeTypedBack() {
    for (int exponent = -12; exponent <= 2; ++exponent)
        for (const double digits : {1.0, 1.3, 2.5, 7.9, 9.9999}) {
            const double value = digits * std::pow(10.0, exponent);
            QCOMPARE(num::parseTolerance(num::tolerance(value)).value_or(notANumber), value);
        }
}

QTEST_MAIN(TestNumberFormat)
#include "tst_number_format.moc"
