#include "gui_test.h"
#include "plot_samples.h"

#include "models/class_look.h"
#include "models/element_facts.h"
#include "models/finding_text.h"
#include "plots/depth_points.h"
#include "views/diagnosis.h"

using namespace divdet;

namespace {

/// Taps a, b, c of the given classes; each has a finding of its own.
std::shared_ptr<Comparison> classified(std::initializer_list<PairClass> classes) {
    auto out = std::make_shared<Comparison>();
    char name = 'a';
    for (const PairClass c : classes) {
        TapPair pair = samples::pairOf({std::string(1, name++), 1e-3, 0});
        pair.pairClass = c;
        out->pairs.push_back(std::move(pair));
    }
    return out;
}

Finding bug(const std::string& id) {
    return {id,
            FindingClass::bug,
            "what is so",
            {{"largest_score", 2187.25},
             {"worst", std::vector<std::int64_t>{1, 2}},
             {"count", std::int64_t(12)}}};
}

} // namespace

/// What the judge says, as the window words it; no widget is shown.
class TestDiagnosis : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void titlesAndNumbers();
    void placesOfFindings();
    void theFaultComesFirst();
    void inheritedLeadsToTheOrigin();
    void nothingSaysWhy();
    void classLines();
    void classLineOfATracedFault();
    void indicesAreRead_data();
    void indicesAreRead();
    void elementsAndBins();
    void exactValueWhereJudged();
    void depthRangeHoldsTheBand();
    void labelsThinOut();
};

void TestDiagnosis::titlesAndNumbers() {
    QCOMPARE(findingTitle(bug("beyond-bound")), QStringLiteral("Not the declared arithmetic"));
    QCOMPARE(findingTitle(bug("some-new-cause")), QStringLiteral("Some new cause"));
    QCOMPARE(evidenceLabel("largest_score"), QStringLiteral("largest score"));
    QCOMPARE(evidenceText(2187.25), QStringLiteral("2,187"));
    QCOMPARE(evidenceText(std::int64_t(32768)), QStringLiteral("32,768"));
    QCOMPARE(evidenceText(std::int64_t(-3)), QStringLiteral("-3"));
    QCOMPARE(evidenceText(std::vector<std::int64_t>{47, 104}), QStringLiteral("[47, 104]"));
    const TapPair pair = samples::pairOf({"up", 1e-3, 0});
    const QString text = findingMarkdown(bug("beyond-bound"), pair);
    QVERIFY(text.contains(QStringLiteral("`up`")) && text.contains(QStringLiteral("beyond-bound")));
    QVERIFY(text.contains(QStringLiteral("- largest_score: 2187.25\n")));
    QVERIFY(text.contains(QStringLiteral("- count: 12\n")));
}

void TestDiagnosis::placesOfFindings() {
    Finding finding = bug("x");
    QCOMPARE(elementOf(finding, {4, 64}), qint64(66));
    QCOMPARE(elementOf(finding, {4, 2}), qint64(-1)); // beyond the shape
    QCOMPARE(elementOf(finding, {4, 4, 4}), qint64(-1));
    finding.evidence = {{"count", std::int64_t(3)}};
    QCOMPARE(elementOf(finding, {4, 64}), qint64(-1));
}

void TestDiagnosis::theFaultComesFirst() {
    auto c = classified({PairClass::identical, PairClass::bug, PairClass::drift});
    c->pairs[1].findings = {bug("beyond-bound"), bug("gain")};
    c->pairs[2].findings = {{"within-bound", FindingClass::drift, "all is well", {}}};
    const Diagnosis other = diagnosisOf(*c, QStringLiteral("c"), false);
    QCOMPARE(other.cards.size(), std::size_t(3));
    QCOMPARE(other.cards[0].tap, QStringLiteral("b"));
    QCOMPARE(other.cards[0].element, qint64(66));
    QVERIFY(other.cards[0].tone == ClassTone::bug);
    QCOMPARE(other.cards[2].tap, QStringLiteral("c"));
    QCOMPARE(other.cards[2].sentence, QStringLiteral("All is well."));
    QVERIFY(other.cards[2].button.isEmpty()); // nothing to show
    const Diagnosis itself = diagnosisOf(*c, QStringLiteral("b"), false);
    QCOMPARE(itself.cards.size(), std::size_t(2));
    QCOMPARE(itself.subtitle, QStringLiteral("b"));
    QVERIFY(diagnosisOf(*c, QStringLiteral("b"), true).cards.empty());
}

void TestDiagnosis::inheritedLeadsToTheOrigin() {
    auto c = classified({PairClass::bug, PairClass::inherited});
    c->pairs[0].findings = {bug("beyond-bound")};
    const Diagnosis d = diagnosisOf(*c, QStringLiteral("b"), false);
    QCOMPARE(d.cards.size(), std::size_t(2));
    QCOMPARE(d.cards[1].id, QStringLiteral("inherited"));
    QCOMPARE(d.cards[1].tap, QStringLiteral("a"));
    QVERIFY(d.cards[1].sentence.contains(QStringLiteral("at fault is a.")));
    QVERIFY(!d.cards[1].button.isEmpty());
}

void TestDiagnosis::nothingSaysWhy() {
    auto c = classified({PairClass::unclear, PairClass::identical});
    for (const char* tap : {"a", "b"}) {
        const Diagnosis d = diagnosisOf(*c, QString::fromLatin1(tap), false);
        QVERIFY(d.cards.empty());
        QVERIFY2(d.empty.size() > 20, tap);
    }
    c->pairs[0].pairClass.reset();
    QVERIFY(
        diagnosisOf(*c, QStringLiteral("a"), false).empty.contains(QStringLiteral("could not be compared")));
    c->pairs[0].summary.reset();
    QVERIFY(
        diagnosisOf(*c, QStringLiteral("a"), false).empty.contains(QStringLiteral("still to be compared")));
    QVERIFY(
        diagnosisOf(*c, QStringLiteral("gone"), false).empty.contains(QStringLiteral("No tap is selected")));
    QVERIFY(!diagnosisOf(Comparison{}, {}, false).empty.isEmpty());
}

void TestDiagnosis::classLines() {
    auto c = classified({PairClass::bug, PairClass::bug, PairClass::inherited});
    ClassLine line = classLine(*c, false);
    QCOMPARE(line.before + line.tap + line.after, QStringLiteral("bug in a and 1 more tap"));
    QVERIFY(classLine(*c, true).tone == ClassTone::none);
    c = classified({PairClass::identical, PairClass::drift});
    line = classLine(*c, false);
    QVERIFY(line.tone == ClassTone::drift && line.tap.isEmpty());
    QCOMPARE(line.before, QStringLiteral("drift: harmless causes explain every difference"));
    c->pairs[1].bound = BoundScore{};
    QCOMPARE(classLine(*c, false).before, QStringLiteral("drift: every op does what is declared"));
    line = classLine(*classified({PairClass::unclear}), false);
    QCOMPARE(line.before + line.tap, QStringLiteral("unclear in a"));
    QVERIFY(classLine(*classified({PairClass::identical}), false).tone == ClassTone::identical);
    QVERIFY(classLine(Comparison{}, false).tone == ClassTone::none);
}

void TestDiagnosis::classLineOfATracedFault() {
    auto c = classified({PairClass::unclear, PairClass::drift});
    c->pairs[0].judged = false;
    const ClassLine line = classLine(*c, false);
    QVERIFY(line.tone == ClassTone::drift);
    QCOMPARE(line.before + line.tap, QStringLiteral("drift here, but unclear in a"));
}

void TestDiagnosis::indicesAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("flat"); // −1: refused
    QTest::newRow("pair") << "3, 5" << 35;
    QTest::newRow("brackets") << "[3, 5]" << 35;
    QTest::newRow("spaces") << " 3 5 " << 35;
    QTest::newRow("flat") << "39" << 39;
    QTest::newRow("beyond flat") << "40" << -1;
    QTest::newRow("beyond a dim") << "4, 0" << -1;
    QTest::newRow("too many") << "1, 2, 3" << -1;
    QTest::newRow("negative") << "-1" << -1;
    QTest::newRow("word") << "first" << -1;
    QTest::newRow("empty") << "" << -1;
}

void TestDiagnosis::indicesAreRead() {
    QFETCH(const QString, text);
    QFETCH(const int, flat);
    QString why;
    const auto index = parseIndex(text, {4, 10}, &why);
    QCOMPARE(index.value_or(-1), std::int64_t(flat));
    QCOMPARE(why.isEmpty(), flat >= 0);
}

void TestDiagnosis::elementsAndBins() {
    TapPair pair;
    pair.referenceShape = pair.candidateShape = {2, 2};
    QVERIFY(!elementFacts(pair, 0)); // no elements at hand
    pair.load = []() -> Result<PairData> {
        return PairData{tensorOf<float>(DType::f32, {2, 2}, std::vector<float>{1, -2, 0, 4}),
                        tensorOf<float>(DType::f32, {2, 2}, std::vector<float>{1, -2.5f, 0, INFINITY}),
                        {},
                        {}};
    };
    const auto facts = elementFacts(pair, 1);
    QVERIFY(facts);
    QCOMPARE(facts->reference, -2.0);
    QCOMPARE(facts->candidate, -2.5);
    QCOMPARE(facts->difference, -0.5);
    QCOMPARE(*facts->ulps, 0.5 / 0x1p-22);
    QVERIFY(!elementFacts(pair, 3)->ulps);
    QVERIFY(!elementFacts(pair, 4));
    const auto in = [&](double magnitude, double error) {
        return *firstInBin(pair, ErrorHistogram::column(magnitude), ErrorHistogram::row(error), {});
    };
    QCOMPARE(in(2, 0.5), std::int64_t(1));
    QCOMPARE(in(0, 0), std::int64_t(2));
    QCOMPARE(in(1, 0), std::int64_t(0));
    QCOMPARE(in(64, 1), std::int64_t(-1));
}

void TestDiagnosis::exactValueWhereJudged() {
    TapPair pair = samples::pairOf({"up", 1e-3, 0});
    QVERIFY(!judgedElement(pair, 66));
    Finding finding = bug("beyond-bound");
    finding.evidence.emplace_back("exact", 1.5);
    finding.evidence.emplace_back("bound", 1e-7);
    pair.findings = {finding};
    const auto judged = judgedElement(pair, 66);
    QVERIFY(judged);
    QCOMPARE(judged->exact, 1.5);
    QCOMPARE(judged->bound, 1e-7);
    QVERIFY(!judgedElement(pair, 65));
}

void TestDiagnosis::depthRangeHoldsTheBand() {
    auto c = classified({PairClass::drift, PairClass::bug});
    c->pairs[0].zRms = 1.0;
    auto [low, high] = depthRange(depthPoints(*c));
    QVERIFY(low < std::log10(0.5) && high > std::log10(2.0));
    c->pairs[1].zRms = 5000.0;
    c->pairs[1].zLargest = INFINITY;
    std::tie(low, high) = depthRange(depthPoints(*c));
    QVERIFY(high > std::log10(5000.0) && high < 6);
    c->pairs[0].zRms = 1e-200;
    QVERIFY(depthRange(depthPoints(*c)).first > -12);
    QVERIFY(depthPoints(*c)[1].firstFault);
    QVERIFY(!depthPoints(*c)[0].firstFault);
}

void TestDiagnosis::labelsThinOut() {
    QCOMPARE(labelStep(6, 600, 90), 1);
    QCOMPARE(labelStep(12, 600, 90), 2);
    QCOMPARE(labelStep(200, 600, 60), 20);
    QCOMPARE(labelStep(0, 600, 60), 1);
    QCOMPARE(labelStep(5, 0, 60), 1);
}

QTEST_MAIN(TestDiagnosis)
#include "tst_diagnosis.moc"
