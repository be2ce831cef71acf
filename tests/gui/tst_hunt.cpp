#include "workbench.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QTreeView>
#include <QUndoStack>

#include "dialogs/file_dialogs.h"
#include "gui/main_window.h"
#include "models/hunt_tree.h"
#include "views/hunt_page.h"
#include "views/hunt_text.h"
#include "views/stages_page.h"

using namespace divdet;

/// The pages of hunts and stages in the whole window.
class HuntTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void treeNestsWhatNarrows();
    void findsThePass();
    void huntsForAFinding();
    void showsItAlone();
    void isStoppedResumedAndEnds();
    void stagesLeaveAStoppedHunt();
    void pauses();
    void makesItSmall();
    void savesTheRepro();
    void saysWhenNothingFails();
    void wrongConditionsAreSaidInline();
    void saysWithoutPasses();
    void findsTheStage();
    void commandLines();
    void closesWhileItHunts();
    void everyControlHasAName();
};

namespace {

/// A window on the page of hunts, over a block of a few milliseconds with a fault among drifts.
struct Bench {
    std::shared_ptr<SlowBackend> backend = std::make_shared<SlowBackend>();
    MainWindow window{sessionWith(backend)};

    explicit Bench(const std::vector<std::string>& passes = {"tf32", "fuse", "fast-math", "gelu-tanh",
                                                             "wrong-accumulator=bf16"}) {
        Settings settings = window.document().settings();
        settings.run = smallRun(settings.run);
        settings.run.passes.clear();
        for (const std::string& pass : passes) settings.run.passes.push_back(*lower::parsePass(pass));
        window.document().takeSettings(settings);
        window.document().start();
        window.resize(1280, 800);
        window.show();
        window.showPage(Page::hunt);
    }
    HuntSide& side() { return window.document().hunt(); }
    template <class T>
    T* find(const char* name) {
        return window.findChild<T*>(QString::fromLatin1(name));
    }
    QString word() { return find<QLabel>("huntWord")->text(); }
    void click(const char* name) { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    void hunt() {
        window.document().rerun();
        QTRY_VERIFY_WITH_TIMEOUT(!side().running(), 60000);
    }
};

hunt::HuntEvent eventOf(hunt::HuntEvent::Kind kind, const char* line, std::size_t first, std::size_t last,
                        std::optional<hunt::Answer> answer = std::nullopt) {
    hunt::HuntEvent e;
    e.kind = kind, e.line = line, e.first = first, e.last = last, e.answer = answer;
    return e;
}

} // namespace

void HuntTest::treeNestsWhatNarrows() {
    using Kind = hunt::HuntEvent::Kind;
    HuntTree tree;
    const QAbstractItemModelTester tester(&tree);
    tree.take(eventOf(Kind::starting, "everything on", 0, 8));
    QCOMPARE(tree.index(0, HuntTree::Answer).data().toString(), QStringLiteral("running…"));
    tree.take(eventOf(Kind::answered, "everything on: bad (bug, up: x)", 0, 8, hunt::Answer::bad));
    tree.take(eventOf(Kind::starting, "disabled 1–4 of 8", 0, 8));
    tree.take(eventOf(Kind::answered, "disabled 1–4 of 8: still bad", 0, 8, hunt::Answer::bad));
    tree.take(eventOf(Kind::starting, "disabled 1–6 of 8", 4, 8));
    tree.take(eventOf(Kind::answered, "disabled 1–6 of 8: good", 4, 8, hunt::Answer::good));
    tree.take(eventOf(Kind::starting, "disabled 1–5 of 8", 4, 6));
    tree.take(eventOf(Kind::note, "a word beside", 4, 6));
    QCOMPARE(tree.rowCount(), 3);
    QCOMPARE(tree.index(0, HuntTree::Answer).data().toString(), QStringLiteral("bad (bug, up: x)"));
    const QModelIndex narrowed = tree.index(2, HuntTree::Tried);
    QCOMPARE(narrowed.data().toString(), QStringLiteral("disabled 1–6 of 8"));
    QCOMPARE(tree.index(2, HuntTree::Suspects).data().toString(), QStringLiteral("5–8"));
    QCOMPARE(tree.rowCount(narrowed), 2); // what was asked after it
    tree.stop();
    QCOMPARE(tree.index(0, HuntTree::Answer, narrowed).data().toString(), QStringLiteral("stopped"));
    tree.restart();
    QCOMPARE(tree.rowCount(), 0);
}

void HuntTest::findsThePass() {
    Bench b;
    QCOMPARE(b.word(), QString());
    b.hunt();
    QCOMPARE(b.word(), QStringLiteral("FOUND"));
    QCOMPARE(b.find<QLabel>("huntNames")->text(), QStringLiteral("wrong-accumulator=bf16"));
    QVERIFY(b.find<QLabel>("huntNumbers")->text().contains(QStringLiteral("of them checks")));
    const auto* tree = b.find<QTreeView>("huntTree")->model();
    QVERIFY(tree->rowCount() >= 3);
    QCOMPARE(tree->index(0, HuntTree::Tried).data().toString(), QStringLiteral("everything on"));
    QVERIFY(
        b.find<QPlainTextEdit>("huntStory")->toPlainText().contains(QStringLiteral("everything off: good")));
    QVERIFY(!b.find<QPushButton>("huntResume")->isVisible());
    QVERIFY(!b.find<QPushButton>("huntPause")->isVisible());
    QVERIFY(b.window.windowTitle().startsWith(QStringLiteral("Hunt in mlp")));
}

void HuntTest::huntsForAFinding() {
    Bench b;
    b.window.showPage(Page::live);
    QTRY_VERIFY_WITH_TIMEOUT(settled(b.window.document()), 60000);
    QPushButton* button = nullptr;
    for (auto* each : b.window.findChildren<QPushButton*>(QStringLiteral("huntFindingButton")))
        if (each->isVisible() && !button) button = each;
    QVERIFY(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(b.window.document().page(), Page::hunt);
    QVERIFY(toString(b.side().question().bad).starts_with("finding:"));
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running(), 60000);
    QCOMPARE(b.find<QLabel>("huntNames")->text(), QStringLiteral("wrong-accumulator=bf16"));
}

void HuntTest::showsItAlone() {
    Bench b;
    b.hunt();
    b.click("huntUse");
    QCOMPARE(b.window.document().page(), Page::live);
    QCOMPARE(b.window.document().settings().run.passes.size(), 1u);
    QCOMPARE(b.window.document().settings().run.passes.front().id, std::string("wrong-accumulator"));
    b.window.document().undoStack()->undo();
    QCOMPARE(b.window.document().settings().run.passes.size(), 5u);
    // Another block on the live page: what was found is of the one that was hunted, and the page says so.
    RunSettings other = b.window.document().settings().run;
    other.seed = 7;
    b.window.document().setRun(other, QStringLiteral("another seed"));
    QVERIFY(b.find<QLabel>("huntNumbers")->text().contains(QStringLiteral("has changed since")));
    b.window.showPage(Page::hunt);
    b.click("huntUse");
    QCOMPARE(b.window.document().settings().run.seed, 0u);
}

void HuntTest::isStoppedResumedAndEnds() {
    Bench b;
    b.backend->delayMs = 15;
    b.window.document().rerun();
    QTRY_VERIFY_WITH_TIMEOUT(
        b.find<QPlainTextEdit>("huntStory")->toPlainText().contains(QStringLiteral("everything on")), 60000);
    int answered = 0; // the window lives on
    QTimer ticks;
    connect(&ticks, &QTimer::timeout, this, [&answered] { ++answered; });
    ticks.start(1);
    QTRY_VERIFY(answered >= 5);
    QVERIFY(b.side().running());
    QCOMPARE(b.word(), QStringLiteral("HUNTING"));
    QTest::keyClick(&b.window, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running(), 5000);
    QCOMPARE(b.word(), QStringLiteral("STOPPED"));
    QVERIFY(b.find<QPushButton>("huntResume")->isVisible());
    QVERIFY(!b.window.document().busy());
    b.backend->delayMs = 0;
    b.click("huntResume");
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running() && b.side().found(), 60000);
    QCOMPARE(b.word(), QStringLiteral("FOUND"));
    QCOMPARE(b.find<QLabel>("huntNames")->text(), QStringLiteral("wrong-accumulator=bf16"));
    // The first run was made before the stop and is not made again.
    Bench whole;
    whole.hunt();
    QVERIFY(b.side().found()->result.runs < whole.side().found()->result.runs);
}

void HuntTest::stagesLeaveAStoppedHunt() {
    Bench b;
    b.backend->delayMs = 15;
    b.window.document().rerun();
    QTRY_VERIFY_WITH_TIMEOUT(
        b.find<QPlainTextEdit>("huntStory")->toPlainText().contains(QStringLiteral("everything on")), 60000);
    b.backend->delayMs = 0;
    b.window.showPage(Page::stages);
    b.window.document().rerun(); // ends the hunt
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running() && b.side().stages(), 60000);
    QVERIFY(b.side().canResume());
    b.side().resume();
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running() && b.side().found(), 60000);
    QCOMPARE(b.word(), QStringLiteral("FOUND"));
}

void HuntTest::pauses() {
    Bench b;
    b.backend->delayMs = 5;
    b.window.document().rerun();
    QTRY_VERIFY_WITH_TIMEOUT(
        b.find<QPlainTextEdit>("huntStory")->toPlainText().contains(QStringLiteral("everything on")), 60000);
    b.click("huntPause");
    QVERIFY(b.side().paused());
    QCOMPARE(b.word(), QStringLiteral("PAUSED"));
    int before = -1;
    QTRY_VERIFY_WITH_TIMEOUT(std::exchange(before, b.backend->opsRun.load()) == b.backend->opsRun.load() &&
                                 (QTest::qWait(200), before == b.backend->opsRun.load()),
                             60000); // the run that was going on has ended, and no other begins
    QVERIFY(b.side().running());
    b.click("huntPause");
    QVERIFY(!b.side().paused());
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running(), 60000);
    QCOMPARE(b.word(), QStringLiteral("FOUND"));
    // A pause does not hold a cancelled hunt.
    b.window.document().rerun();
    b.side().setPaused(true);
    b.side().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running(), 5000);
    QVERIFY(!b.side().paused());
}

void HuntTest::makesItSmall() {
    Bench b;
    b.hunt();
    QVERIFY(!b.find<QPlainTextEdit>("huntPreview")->isVisible());
    b.click("huntMinify");
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running() && b.side().small(), 120000);
    QVERIFY(b.side().small()->repro.has_value());
    QVERIFY(b.side().small()->minified.result.sizeAfter.ops <= 2);
    auto* preview = b.find<QPlainTextEdit>("huntPreview");
    QVERIFY(preview->isVisible());
    QCOMPARE(b.find<QTabBar>("huntTabs")->currentIndex(), 0);
    QCOMPARE(preview->toPlainText().toStdString(), b.side().small()->script);
    QVERIFY(preview->toPlainText().contains(QStringLiteral("assert ")));
    b.find<QTabBar>("huntTabs")->setCurrentIndex(2);
    QVERIFY(preview->toPlainText().startsWith(QLatin1Char('{')));
    b.click("huntCopyRepro");
    QCOMPARE(QGuiApplication::clipboard()->text(), preview->toPlainText());
    QVERIFY(b.find<QLabel>("huntSizes")->text().contains(QStringLiteral("after: ")));
    // As the command line does it: the bug that was asked for, not the verdict that the hunt settled on.
    QCOMPARE(toString(b.side().small()->minified.request.bad), std::string("finding:same-bits-as"));
    b.hunt(); // another hunt: its small case is not made yet
    QVERIFY(!b.find<QPlainTextEdit>("huntPreview")->isVisible());
}

void HuntTest::savesTheRepro() {
    Bench b;
    b.hunt();
    b.click("huntMinify");
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running() && b.side().small(), 120000);
    const QTemporaryDir folder;
    file_dialogs::answerNext({folder.filePath(QStringLiteral("out"))});
    b.click("huntSaveRepro");
    for (const char* name : {"out/repro.json", "out/repro.py", "out/repro.md"})
        QVERIFY2(QFileInfo::exists(folder.filePath(QString::fromLatin1(name))), name);
    file_dialogs::answerNext({QStringLiteral("/proc/no/such/folder")});
    b.click("huntSaveRepro"); // says so, and nothing else happens
    QVERIFY(b.side().small());
}

void HuntTest::saysWhenNothingFails() {
    Bench b({"fuse", "fast-math"});
    b.hunt();
    QCOMPARE(b.word(), QStringLiteral("NOTHING FAILS"));
    QVERIFY(!b.find<QPushButton>("huntMinify")->isVisible());
}

void HuntTest::wrongConditionsAreSaidInline() {
    Bench b;
    auto* bad = b.find<QComboBox>("huntBad");
    bad->setEditText(QStringLiteral("sometimes"));
    QTest::keyClick(bad, Qt::Key_Return);
    QVERIFY(b.find<QLabel>("huntBadError")->isVisible());
    QCOMPARE(toString(b.side().question().bad), std::string("auto"));
    bad->setEditText(QStringLiteral("verdict"));
    QTest::keyClick(bad, Qt::Key_Return);
    QVERIFY(!b.find<QLabel>("huntBadError")->isVisible());
    QCOMPARE(toString(b.side().question().bad), std::string("verdict"));
    // Typed and not confirmed, as before F5: it counts.
    bad->lineEdit()->selectAll();
    QTest::keyClicks(bad->lineEdit(), QStringLiteral("crash"));
    QCOMPARE(toString(b.side().question().bad), std::string("crash"));
}

void HuntTest::saysWithoutPasses() {
    Bench b(std::vector<std::string>{});
    b.hunt();
    QCOMPARE(b.word(), QStringLiteral("FAILED"));
    QVERIFY(b.find<QLabel>("huntText")->text().contains(QStringLiteral("pass")));
    QVERIFY(b.find<QLabel>("huntPasses")->text().contains(QStringLiteral("at least one")));
}

void HuntTest::findsTheStage() {
    Bench b;
    b.window.showPage(Page::stages);
    b.window.document().rerun();
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running() && b.side().stages(), 60000);
    QCOMPARE(b.find<QLabel>("stagesWord")->text(), QStringLiteral("lower"));
    QVERIFY(b.find<QLabel>("stagesMeaning")->text().startsWith(QStringLiteral("lower: ")));
    const auto* table = b.find<QTableView>("stagesTable")->model();
    QCOMPARE(table->rowCount(), 4);
    QCOMPARE(table->index(0, 1).data().toString(), QStringLiteral("good"));
    QCOMPARE(table->index(2, 1).data().toString(), QStringLiteral("bad"));
}

void HuntTest::commandLines() {
    Bench b({"tf32", "wrong-accumulator=bf16"});
    HuntSide::Question q;
    q.over = Over::pairs;
    q.bad = *parseBadWhen("bug");
    q.all = true;
    b.side().setQuestion(q);
    const QString line = b.window.huntPage()->commandLine();
    QVERIFY2(line.startsWith(QStringLiteral("divdet bisect mlp ")), qPrintable(line));
    QVERIFY2(line.endsWith(QStringLiteral(" --over pairs --bad-when bug --all")), qPrintable(line));
    QVERIFY(b.window.stagesPage()->commandLine().startsWith(QStringLiteral("divdet stages mlp ")));
    b.click("huntCommandLineButton");
    QCOMPARE(QGuiApplication::clipboard()->text(), line);
}

void HuntTest::closesWhileItHunts() {
    Bench b;
    b.backend->delayMs = 60000;
    b.window.document().rerun();
    QTRY_VERIFY(b.side().running());
    b.side().setPaused(true);
}

void HuntTest::everyControlHasAName() {
    Bench b;
    int controls = 0;
    for (const char* part : {"huntForm", "huntPage", "stagesForm", "stagesPage"})
        for (QWidget* widget : b.find<QWidget>(part)->findChildren<QWidget*>()) {
            const bool control = qobject_cast<QComboBox*>(widget) ||
                                 qobject_cast<QAbstractItemView*>(widget) ||
                                 qobject_cast<QPlainTextEdit*>(widget) || qobject_cast<QTabBar*>(widget);
            // What a combo box opens and the head of a table are parts of theirs.
            if (!control || widget->inherits("QComboBoxListView") || widget->inherits("QHeaderView"))
                continue;
            ++controls;
            QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
        }
    QVERIFY(controls >= 7);
}

QTEST_MAIN(HuntTest)
#include "tst_hunt.moc"
