#include "workbench.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>

#include "gui/actions.h"
#include "gui/main_window.h"
#include "models/power_model.h"
#include "views/advisor_form.h"
#include "views/advisor_page.h"
#include "views/advisor_pane.h"
#include "views/advisor_text.h"
#include "views/widgets/verdict_block.h"

using namespace divdet;

/// The advisor's page: its words, its table, its form, and the whole window.
class AdvisorTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void words();
    void wordsOfAGivenTolerance();
    void table();
    void settingsOfTheCommandLine();
    void asksOnlyWhenShown();
    void answersInTheWindow();
    void formAsks();
    void givenToleranceIsJudged();
    void wrongSizesAreSaidInline();
    void wrongNumbersAreSaidInline();
    void anotherQuestionReplacesTheRunningOne();
    void anotherOpDoesNotTakeTheVerdict();
    void anErrorGoesWithItsQuestion();
    void canBeStopped();
    void closesWhileItAsks();
    void everyControlHasAName();
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

/// A question that takes milliseconds.
AdviseRequest quick() {
    AdviseRequest r;
    r.op = "reduction";
    r.sizes = {{"m", 8}, {"k", 32}};
    r.dtype = "bf16";
    return r;
}

struct Bench {
    std::shared_ptr<SlowBackend> backend = std::make_shared<SlowBackend>();
    MainWindow window{sessionWith(backend)};
    explicit Bench(const AdviseRequest& request = quick()) {
        window.resize(1440, 900);
        window.document().advisor().setRequest(request);
        window.show();
    }
    AdvisorSide& side() { return window.document().advisor(); }
    template <class T>
    T* find(const char* name) {
        return window.findChild<T*>(QString::fromLatin1(name));
    }
    const VerdictContent& verdict() { return find<VerdictBlock>("advisorVerdict")->content(); }
    void open() {
        find<QToolButton>("pageAdvisor")->click();
        settle();
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!side().running(), 60000); }
};

void type(QLineEdit* edit, const char* text) {
    edit->selectAll();
    QTest::keyClicks(edit, QString::fromLatin1(text));
    QTest::keyClick(edit, Qt::Key_Return);
}

void choose(QComboBox* combo, const char* value) {
    const int index = combo->findData(QString::fromLatin1(value));
    QVERIFY2(index >= 0, value);
    combo->setCurrentIndex(index);
    emit combo->activated(index);
}

} // namespace

void AdvisorTest::words() {
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

void AdvisorTest::wordsOfAGivenTolerance() {
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

void AdvisorTest::table() {
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

void AdvisorTest::settingsOfTheCommandLine() {
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

void AdvisorTest::asksOnlyWhenShown() {
    Bench b;
    QCOMPARE(b.side().asked(), 0);
    b.open();
    QCOMPARE(b.side().asked(), 1);
    b.window.showPage(Page::live);
    b.open();
    QCOMPARE(b.side().asked(), 1); // the answer is still there
}

void AdvisorTest::answersInTheWindow() {
    Bench b;
    b.open();
    const auto advice = b.side().advice();
    QVERIFY(advice);
    QCOMPARE(b.verdict().word, QStringLiteral("RECOMMENDED"));
    QVERIFY(b.window.windowTitle().startsWith(QStringLiteral("Advice on reduction: RECOMMENDED")));
    auto* faults = b.find<QTableView>("advisorFaults");
    QCOMPARE(faults->model()->rowCount(), int(advice->power.size()));
    QVERIFY(faults->model()->rowCount() > 0);
    QVERIFY(faults->isColumnHidden(PowerModel::ByGiven));
    QCOMPARE(b.find<QLabel>("statusState")->text(), QStringLiteral("Up to date"));
    QVERIFY(b.find<QLabel>("advisorEmpty")->isHidden());

    auto* lines = b.find<QPlainTextEdit>("advisorLines");
    QVERIFY(lines->toPlainText().contains(QStringLiteral("torch.testing.assert_close")));
    b.find<QPushButton>("advisorTool_numpy")->click();
    QVERIFY(lines->toPlainText().contains(QStringLiteral("numpy.testing.assert_allclose")));
    QVERIFY(!lines->toPlainText().contains(QStringLiteral("torch.testing")));
    b.find<QPushButton>("advisorCopy")->click();
    QCOMPARE(QApplication::clipboard()->text(), lines->toPlainText());
    b.find<QPushButton>("advisorCommandLineButton")->click();
    QCOMPARE(QApplication::clipboard()->text(),
             QStringLiteral("divdet advise reduction --k 32 --m 8 --dtype bf16"));
    // F5 asks again; keys of the taps do not act on what is not seen.
    const int asked = b.side().asked();
    b.find<QPushButton>("runButton")->click();
    QCOMPARE(b.side().asked(), asked + 1);
    b.settle();
    QVERIFY(!b.window.findChild<Actions*>()->presetFp32->isEnabled());
    b.window.showPage(Page::live);
    QVERIFY(b.window.findChild<Actions*>()->presetFp32->isEnabled());
}

void AdvisorTest::formAsks() {
    Bench b;
    b.open();
    auto* k = b.find<QSpinBox>("advisorSize_k");
    QCOMPARE(k->value(), 32);
    k->setValue(64);
    QCOMPARE(b.side().request().sizes.at("k"), std::int64_t(64));
    choose(b.find<QComboBox>("advisorDType"), "fp16");
    choose(b.find<QComboBox>("advisorInputs"), "positive");
    type(b.find<QLineEdit>("advisorP"), "1e-3");
    QVERIFY(b.side().running()); // one question for what was changed at once
    b.settle();
    QCOMPARE(b.side().asked(), 2);
    QVERIFY(b.side().upToDate());
    QCOMPARE(b.side().advice()->request.sizes.at("k"), std::int64_t(64));
    QVERIFY(b.side().advice()->falseAlarm > 1e-5);
    QCOMPARE(b.window.advisorPage()->commandLine(),
             QStringLiteral("divdet advise reduction --k 64 --m 8 --dtype fp16 --inputs positive --p 1e-3"));

    // Elements choose the rows where m is left open.
    auto* m = b.find<QSpinBox>("advisorSize_m");
    b.find<QSpinBox>("advisorElements")->setValue(5);
    QCOMPARE(m->value(), 8);
    m->setValue(0);
    QCOMPARE(m->text(), QStringLiteral("fits"));
    b.settle();
    QCOMPARE(b.side().advice()->request.sizes.at("m"), std::int64_t(5));

    // Another op has its own sizes.
    choose(b.find<QComboBox>("advisorOp"), "matmul");
    QVERIFY(b.find<QSpinBox>("advisorSize_n"));
    QCOMPARE(b.find<QSpinBox>("advisorSize_k")->value(), 512);
    choose(b.find<QComboBox>("advisorOp"), "stack");
    QVERIFY(b.find<QSpinBox>("advisorSize_layers"));
    b.side().cancel();
}

void AdvisorTest::givenToleranceIsJudged() {
    Bench b;
    b.open();
    type(b.find<QLineEdit>("advisorAtol"), "1e-9");
    b.settle();
    QCOMPARE(b.verdict().word, QStringLiteral("FLAKY"));
    QVERIFY(!b.find<QTableView>("advisorFaults")->isColumnHidden(PowerModel::ByGiven));
    type(b.find<QLineEdit>("advisorRtol"), "0.9");
    type(b.find<QLineEdit>("advisorAtol"), "100");
    b.settle();
    QCOMPARE(b.verdict().word, QStringLiteral("BLIND"));
    QVERIFY(b.window.findChild<QWidget*>(QStringLiteral("noteCard_blindTo")));
    const Tolerance best = b.side().advice()->recommended;
    b.find<QLineEdit>("advisorAtol")->clear();
    QTest::keyClick(b.find<QLineEdit>("advisorAtol"), Qt::Key_Return);
    QVERIFY(!b.side().request().atol);
    AdviseRequest r = b.side().request();
    r.rtol = best.rtol;
    r.atol = best.atol;
    b.side().setRequest(r);
    b.settle();
    QCOMPARE(b.verdict().word, QStringLiteral("FINE"));
    QCOMPARE(b.find<QLineEdit>("advisorRtol")->text().toDouble(), best.rtol);
}

void AdvisorTest::wrongSizesAreSaidInline() {
    Bench b;
    b.open();
    b.find<QSpinBox>("advisorSize_k")->setValue(1 << 24);
    b.find<QSpinBox>("advisorSize_m")->setValue(1 << 20);
    b.settle();
    auto* error = b.find<QLabel>("advisorSizesError");
    QVERIFY(!error->isHidden());
    QVERIFY2(error->text().contains(QStringLiteral("more than 536870912 elements")),
             qPrintable(error->text()));
    QVERIFY2(error->text().contains(QStringLiteral("smaller")), qPrintable(error->text()));
    QCOMPARE(b.verdict().word, QStringLiteral("NO ANSWER"));
    QCOMPARE(b.find<QTableView>("advisorFaults")->model()->rowCount(), 0);
    QVERIFY(b.find<QPlainTextEdit>("advisorLines")->toPlainText().isEmpty());

    // What cannot be combined is said where it is chosen.
    b.side().setRequest([] {
        AdviseRequest r = quick();
        r.op = "softmax";
        r.accumulator = "fp16";
        return r;
    }());
    b.settle();
    QVERIFY(error->isHidden());
    QVERIFY(!b.find<QLabel>("advisorArithmeticError")->isHidden());
    QVERIFY(b.find<QLabel>("advisorArithmeticError")->text().contains(QStringLiteral("eave it out")));
    b.side().setRequest(quick());
    b.settle();
    QVERIFY(b.find<QLabel>("advisorArithmeticError")->isHidden());
    QCOMPARE(b.verdict().word, QStringLiteral("RECOMMENDED"));
}

void AdvisorTest::wrongNumbersAreSaidInline() {
    Bench b;
    b.open();
    const int asked = b.side().asked();
    auto* error = b.find<QLabel>("advisorTestError");
    for (const char* wrong : {"2", "0", "1e-"}) {
        type(b.find<QLineEdit>("advisorP"), wrong);
        QVERIFY2(!error->isHidden(), wrong);
        QVERIFY(error->text().contains(QString::fromLatin1(wrong)));
    }
    type(b.find<QLineEdit>("advisorRtol"), "-1");
    QVERIFY(!b.find<QLabel>("advisorGivenError")->isHidden());
    QCOMPARE(b.side().request().p, 1e-6);
    QVERIFY(!b.side().request().rtol);
    QVERIFY(!b.side().running());
    QCOMPARE(b.side().asked(), asked);
    type(b.find<QLineEdit>("advisorP"), "1e-6");
    QVERIFY(error->isHidden());
}

void AdvisorTest::anotherQuestionReplacesTheRunningOne() {
    Bench b;
    b.open();
    const auto first = b.side().advice();
    b.backend->delayMs = 60000;
    AdviseRequest r = quick();
    r.seed = 7;
    b.side().setRequest(r);
    QTRY_COMPARE(b.side().asked(), 2);
    QVERIFY(b.side().running());
    QCOMPARE(b.side().advice(), first); // what was shown stays
    QCOMPARE(b.verdict().word, QStringLiteral("RECOMMENDED"));
    QVERIFY(!b.find<QPushButton>("advisorCancel")->isHidden());
    r.seed = 8;
    b.side().setRequest(r);
    b.backend->delayMs = 0;
    b.settle();
    QVERIFY(b.side().upToDate());
    QCOMPARE(b.side().advice()->request.seed, std::uint64_t(8));
    QVERIFY(b.find<QPushButton>("advisorCancel")->isHidden());
}

/// While the next op is asked, what is shown and copied keeps the name and the command line of its own.
void AdvisorTest::anotherOpDoesNotTakeTheVerdict() {
    AdviseRequest first = quick();
    first.rtol = 0.05, first.atol = 0.5;
    Bench b(first);
    b.open();
    const VerdictContent verdict = b.verdict();
    const QString title = b.window.windowTitle();
    QVERIFY2(title.startsWith(QStringLiteral("Advice on reduction: ") + verdict.word), qPrintable(title));
    const auto copied = [&] {
        b.window.findChild<Actions*>()->copyVerdict->trigger();
        return QApplication::clipboard()->text().section(QLatin1Char('\n'), 0, 0);
    };
    const QString line = QString::fromStdString(commandLine(first));
    QCOMPARE(copied(), line);
    QVERIFY(!b.find<QLabel>("statusDevice")->text().isEmpty());

    b.backend->delayMs = 60000;
    AdviseRequest next = quick();
    next.op = "softmax";
    b.side().setRequest(next);
    for (const bool asked : {false, true}) { // it rests first
        if (asked) QTRY_COMPARE(b.side().asked(), 2);
        QVERIFY(b.side().running());
        QCOMPARE(b.verdict().sentence, verdict.sentence);
        QVERIFY(b.find<QLabel>("statusDevice")->text().isEmpty());
        QCOMPARE(b.window.windowTitle(), title);
        QCOMPARE(copied(), line);
    }
    // The button copies what is asked now.
    QCOMPARE(b.window.advisorPage()->commandLine(), QString::fromStdString(commandLine(next)));
    b.side().cancel();
    QVERIFY2(b.window.windowTitle().startsWith(QStringLiteral("Advice on softmax: STOPPED")),
             qPrintable(b.window.windowTitle()));
    QCOMPARE(copied(), QString::fromStdString(commandLine(next)));
    b.backend->delayMs = 0;
    b.side().rerun();
    b.settle();
    QVERIFY(b.window.windowTitle().startsWith(QStringLiteral("Advice on softmax: RECOMMENDED")));
    QCOMPARE(copied(), QString::fromStdString(commandLine(next)));
}

/// Neither the next question nor the same one again is asked under the error or the stop of the last.
void AdvisorTest::anErrorGoesWithItsQuestion() {
    Bench b;
    AdviseRequest wrong = quick();
    wrong.op = "softmax";
    wrong.accumulator = "fp16";
    b.side().setRequest(wrong);
    b.open();
    auto* empty = b.find<QLabel>("advisorEmpty");
    auto* inlineError = b.find<QLabel>("advisorArithmeticError");
    const auto asking = [&](const char* op) {
        QVERIFY(b.side().running());
        QVERIFY(!b.side().error());
        QCOMPARE(b.verdict().word, QStringLiteral("ASKING"));
        QVERIFY(inlineError->isHidden());
        QVERIFY(!empty->isHidden());
        QVERIFY2(empty->text().contains(
                     QStringLiteral("faults of %1 are on their way").arg(QString::fromLatin1(op))),
                 qPrintable(empty->text()));
        QVERIFY(b.window.windowTitle().startsWith(
            QStringLiteral("Advice on %1: ASKING").arg(QString::fromLatin1(op))));
    };
    QCOMPARE(b.verdict().word, QStringLiteral("NO ANSWER"));
    QVERIFY(!inlineError->isHidden());
    b.side().rerun();
    asking("softmax");
    b.settle();
    QCOMPARE(b.verdict().word, QStringLiteral("NO ANSWER"));
    QVERIFY(!inlineError->isHidden());

    b.backend->delayMs = 60000;
    b.side().setRequest(quick());
    asking("reduction");
    QTRY_COMPARE(b.side().asked(), 3);
    asking("reduction");
    b.side().cancel();
    QCOMPARE(b.verdict().word, QStringLiteral("STOPPED"));
    QVERIFY(empty->text().contains(QStringLiteral("stopped")));
    b.side().rerun();
    asking("reduction");
    b.backend->delayMs = 0;
    b.settle();
    QCOMPARE(b.verdict().word, QStringLiteral("RECOMMENDED"));
}

void AdvisorTest::canBeStopped() {
    Bench b;
    b.open();
    b.backend->delayMs = 60000;
    AdviseRequest r = quick();
    r.seed = 7;
    b.side().setRequest(r);
    QTRY_COMPARE(b.side().asked(), 2);
    int answered = 0; // the window lives on
    for (int i = 0; i < 5; ++i) QTimer::singleShot(0, &b.window, [&answered] { ++answered; });
    QTRY_COMPARE(answered, 5);
    QVERIFY(b.window.document().busy());
    QTest::keyClick(&b.window, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!b.window.document().busy(), 5000);
    QCOMPARE(b.verdict().word, QStringLiteral("STOPPED"));
    QCOMPARE(b.find<QTableView>("advisorFaults")->model()->rowCount(), 0);
    b.backend->delayMs = 0;
    QTest::keyClick(&b.window, Qt::Key_F5);
    b.settle();
    QCOMPARE(b.verdict().word, QStringLiteral("RECOMMENDED"));
}

void AdvisorTest::closesWhileItAsks() {
    auto b = std::make_unique<Bench>();
    b->backend->delayMs = 60000;
    b->find<QToolButton>("pageAdvisor")->click();
    QVERIFY(b->side().running());
    QTest::qWait(20);
    QElapsedTimer clock;
    clock.start();
    b->window.close();
    b.reset();
    QVERIFY2(clock.elapsed() < 5000, "closing waits for one block at most");
}

void AdvisorTest::everyControlHasAName() {
    Bench b;
    b.open();
    int controls = 0;
    for (QWidget* part : {static_cast<QWidget*>(b.find<AdvisorForm>("advisorForm")),
                          static_cast<QWidget*>(b.window.advisorPage())})
        for (QWidget* widget : part->findChildren<QWidget*>()) {
            const bool control = qobject_cast<QComboBox*>(widget) ||
                                 qobject_cast<QAbstractSpinBox*>(widget) ||
                                 qobject_cast<QTableView*>(widget) || qobject_cast<QPlainTextEdit*>(widget) ||
                                 (qobject_cast<QLineEdit*>(widget) &&
                                  !qobject_cast<QAbstractSpinBox*>(widget->parentWidget()));
            if (!control) continue;
            ++controls;
            QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
            QVERIFY2(widget->focusPolicy() & Qt::TabFocus, qPrintable(widget->objectName()));
        }
    QVERIFY(controls >= 14);
}

QTEST_MAIN(AdvisorTest)
#include "tst_advisor.moc"
