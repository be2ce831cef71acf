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

/// Questions of the advisor's page that are replaced, fail, are stopped or outlived.
class AdvisorQuestionsTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void anotherQuestionReplacesTheRunningOne();
    void anotherOpDoesNotTakeTheVerdict();
    void anErrorGoesWithItsQuestion();
    void canBeStopped();
    void closesWhileItAsks();
};

void AdvisorQuestionsTest::anotherQuestionReplacesTheRunningOne() {
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
void AdvisorQuestionsTest::anotherOpDoesNotTakeTheVerdict() {
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
void AdvisorQuestionsTest::anErrorGoesWithItsQuestion() {
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

void AdvisorQuestionsTest::canBeStopped() {
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

void AdvisorQuestionsTest::closesWhileItAsks() {
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

QTEST_MAIN(AdvisorQuestionsTest)
#include "tst_advisor_questions.moc"
