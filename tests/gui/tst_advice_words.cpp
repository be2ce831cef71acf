#include "gui_test.h"

#include <QAbstractItemModelTester>

#include "gui/options.h"
#include "models/power_model.h"
#include "views/advisor_text.h"

using namespace divdet;

/// What is said of an advice, without a window: its verdict, its notes, its table, its command line.
class AdviceWordsTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void words();
    void wordsOfAGivenTolerance();
    void table();
    void settingsOfTheCommandLine();
};

namespace {

Advice madeUp() {
    Advice a;
    a.what = "matmul  m 4  k 8  operands bf16";
    a.reference = "fp64 of the inputs";
    a.recommended = {Rule::allclose, 4e-3, 1e-5};
    a.linked = {Rule::allclose, 5e-3, 3e-4};
    a.falseAlarm = 9.9e-7;
    a.linkedAlarm = 9.8e-7;
    a.loosest = Tolerance{Rule::allclose, 4.0, 1e-2};
    a.lossless = Tolerance{Rule::allclose, 0.1, 2e-4};
    a.loosestCatches = "stale-buffer";
    a.firstLost = "split-k-bf16";
    a.elements = 4096;
    a.draws = 6;
    const auto power = [&](const char* fault, double acting, double caught, const char* text) {
        FaultPower p;
        p.fault = fault;
        p.title = fault;
        p.runs = 6;
        p.acts = acting > 0;
        p.acting = acting;
        p.recommended = caught;
        p.text = text;
        a.power.push_back(p);
    };
    power("stale-buffer", 1, 1, "");
    power("split-k-bf16", 1, 0.1, "passes: its error is within honest rounding of these dtypes");
    power("race", 0.4, 0.4, "acts in 40 % of the runs only");
    power("dropped-tail", 0, 0, "changes no bit at these sizes");
    return a;
}

} // namespace

void AdviceWordsTest::words() {
    const Advice a = madeUp();
    const VerdictContent verdict = adviceVerdict(a);
    QCOMPARE(verdict.word, QStringLiteral("RECOMMENDED"));
    QCOMPARE(verdict.sentence,
             QStringLiteral("rtol 4e-3, atol 1e-5: an honest run fails with probability 9.90e-7."));
    QCOMPARE(verdict.footer, QStringLiteral("Compare with fp64 of the inputs."));
    QCOMPARE(adviceSubject(a), QStringLiteral("matmul · m 4 · k 8 · operands bf16"));

    // Missed is what acts and passes: not what acts seldom, nor what does nothing at these sizes.
    const std::vector<Note> notes = adviceNotes(a);
    QCOMPARE(notes.size(), std::size_t(2));
    QCOMPARE(notes[0].id, QStringLiteral("missedFaults"));
    QCOMPARE(notes[0].evidence.size(), std::size_t(1));
    QCOMPARE(notes[0].evidence[0].first, QStringLiteral("split-k-bf16"));
    QVERIFY(notes[1].text.contains(QStringLiteral("rtol 0.1, atol 2e-4")));

    const auto rows = advisedTolerances(a);
    QCOMPARE(rows.size(), std::size_t(4));
    QCOMPARE(rows[0].name, QStringLiteral("recommended"));
    QCOMPARE(rows[3].text, QStringLiteral("beyond it nothing is caught, not even stale-buffer"));
    Advice bare = a;
    bare.loosest.reset();
    bare.lossless.reset();
    QCOMPARE(advisedTolerances(bare).size(), std::size_t(2));
}

void AdviceWordsTest::wordsOfAGivenTolerance() {
    Advice a = madeUp();
    a.given = GivenTolerance{{Rule::allclose, 1e-3, 0}, ToleranceVerdict::flaky, 0.31, {}};
    QCOMPARE(adviceVerdict(a).word, QStringLiteral("FLAKY"));
    QVERIFY(adviceVerdict(a).tone == VerdictTone::inconclusive);
    QVERIFY(adviceVerdict(a).sentence.contains(QStringLiteral("probability 0.310, and 1e-6 was asked for")));
    QCOMPARE(advisedTolerances(a)[0].name, QStringLiteral("yours"));

    a.given = GivenTolerance{{Rule::allclose, 0.5, 0.5}, ToleranceVerdict::blind, 0, {"stale-buffer"}};
    a.power[0].given = 0;
    QCOMPARE(adviceVerdict(a).word, QStringLiteral("BLIND"));
    QVERIFY(adviceVerdict(a).sentence.contains(QStringLiteral("it misses stale-buffer")));
    QCOMPARE(adviceNotes(a)[0].id, QStringLiteral("blindTo"));
    QCOMPARE(adviceNotes(a)[0].evidence[0].second, QStringLiteral("0 % against 100 %"));

    a.given = GivenTolerance{{Rule::allclose, 4e-3, 1e-5}, ToleranceVerdict::fine, 1e-7, {}};
    QCOMPARE(adviceVerdict(a).word, QStringLiteral("FINE"));
    QVERIFY(adviceVerdict(a).tone == VerdictTone::within);
}

void AdviceWordsTest::table() {
    PowerModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    auto a = std::make_shared<Advice>(madeUp());
    model.setData(a);
    QCOMPARE(model.rowCount(), 4);
    const auto state = [&](int row) {
        return model.index(row, PowerModel::Caught).data(PowerModel::StateRole).toInt();
    };
    QCOMPARE(state(0), int(PowerModel::FullyCaught));
    QCOMPARE(state(1), int(PowerModel::Missed));
    QCOMPARE(state(2), int(PowerModel::FullyCaught)); // in every run in which it acts
    QCOMPARE(state(3), int(PowerModel::Missed));
    QCOMPARE(model.index(2, PowerModel::Caught).data().toString(), QStringLiteral("40 %"));
    QVERIFY(!model.index(0, PowerModel::ByGiven).data(PowerModel::ShareRole).isValid());
    QCOMPARE(model.index(1, PowerModel::Remark).data().toString(),
             QStringLiteral("passes: its error is within honest rounding of these dtypes"));
    auto withGiven = std::make_shared<Advice>(*a);
    withGiven->power[0].given = 0.25;
    model.setData(withGiven);
    QCOMPARE(model.index(0, PowerModel::ByGiven).data().toString(), QStringLiteral("25 %"));
    QCOMPARE(model.index(0, PowerModel::ByGiven).data(PowerModel::StateRole).toInt(),
             int(PowerModel::Missed));
    model.setData(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void AdviceWordsTest::settingsOfTheCommandLine() {
    QStringList arguments{QStringLiteral("--page"), QStringLiteral("advisor")};
    for (const char* set : {"op=linear", "k=4096", "dtype=bf16", "acc=fp16", "out=f32", "inputs=positive",
                            "elements=100", "p=1e-4", "rtol=1e-2", "atol=0", "seed=3", "device=cpu:sm_90"})
        arguments << QStringLiteral("--set") << QStringLiteral("advise=") + QString::fromLatin1(set);
    const auto options = parseOptions(arguments);
    QVERIFY(options);
    QVERIFY(options->page == Page::advisor);
    QCOMPARE(
        QString::fromStdString(commandLine(options->advise)),
        QStringLiteral("divdet advise linear --k 4096 --dtype bf16 --acc fp16 --out f32 --inputs positive "
                       "--elements 100 --p 1e-4 --rtol 1e-2 --atol 0 --seed 3 --device cpu:sm_90"));
    for (const char* wrong : {"advise=k", "advise=k=many", "advise=k=0", "advise=q=3", "advise=rtol=-1"})
        QVERIFY2(!parseOptions({QStringLiteral("--set"), QString::fromLatin1(wrong)}), wrong);
}

QTEST_MAIN(AdviceWordsTest)
#include "tst_advice_words.moc"
