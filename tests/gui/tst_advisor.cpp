#include "advisor_bench.h"

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>

#include "gui/actions.h"
#include "models/power_model.h"
#include "views/advisor_form.h"
#include "views/advisor_page.h"
#include "views/advisor_pane.h"
#include "views/advisor_text.h"

using namespace divdet;
using namespace divdet::advisor_bench;

/// The advisor's page in the whole window: its answer and its form.
class AdvisorTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void asksOnlyWhenShown();
    void answersInTheWindow();
    void formAsks();
    void givenToleranceIsJudged();
    void wrongSizesAreSaidInline();
    void wrongNumbersAreSaidInline();
    void everyControlHasAName();
};

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
    QVERIFY2(error->text().contains(QStringLiteral("256 TiB at once, and at most 8 GiB are allowed")),
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
