#include "workbench.h"

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QPushButton>
#include <QToolButton>
#include <QUndoStack>

#include "dialogs/file_dialogs.h"
#include "dialogs/shortcuts_dialog.h"
#include "gui/main_window.h"
#include "views/live_page.h"
#include "views/plot_area.h"
#include "views/widgets/message_stack.h"
#include "views/widgets/verdict_block.h"

using namespace divdet;

/// The frame: pages, docks, keys, export, closing while work goes on.
class WindowTest : public GuiTest {
    Q_OBJECT
private slots:
    void pagesAndNames();
    void answersDuringASlowRun();
    void closesDuringARun();
    void escapeCancels();
    void keys();
    void exportsAndCopies();
    void layoutIsRestored();
    void docksThatAPageHidComeBack();
    void sizes();
    void shortcutsAreComplete();
};

namespace {

struct Slow {
    std::shared_ptr<SlowBackend> backend = std::make_shared<SlowBackend>();
    MainWindow window{sessionWith(backend)};
    explicit Slow(int delayMs) {
        window.resize(1440, 900);
        window.document().setRun(smallRun(window.document().settings().run), {});
        backend->delayMs = delayMs;
        window.show();
        if (!QTest::qWaitForWindowActive(&window)) qFatal("the window does not become active");
    }
};

} // namespace

void WindowTest::pagesAndNames() {
    Slow w(0);
    w.window.document().start();
    for (const char* name :
         {"toolBar",      "openButton",    "pageLive",     "pageCompare",  "undoButton", "redoButton",
          "exportButton", "runButton",     "messageStack", "leftDock",     "rightDock",  "pageStack",
          "statusBar",    "livePage",      "comparePage",  "verdictBlock", "cardList",   "blockBox",
          "passTree",     "toleranceBox",  "plotStrip",    "plotArea",     "tapsDock",   "tapsTable",
          "faultsPlot",   "tolerancePlot", "scatterPlot",  "layout1",      "layout2",    "commandLineButton",
          "dropZone",     "tapMatrix",     "swapButton",   "addButton"})
        QVERIFY2(w.window.findChild<QWidget*>(QString::fromLatin1(name)), name);
    auto* run = w.window.findChild<QPushButton*>(QStringLiteral("runButton"));
    QCOMPARE(run->text(), QStringLiteral("Run"));
    w.window.findChild<QToolButton*>(QStringLiteral("pageCompare"))->click();
    QCOMPARE(w.window.document().side(), Side::compare);
    QCOMPARE(run->text(), QStringLiteral("Compare"));
    QVERIFY(!run->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(settled(w.window.document()), 30000);
}

void WindowTest::answersDuringASlowRun() {
    Slow w(300);
    w.window.document().start();
    QVERIFY(w.window.document().busy());
    int answered = 0;
    for (int i = 0; i < 5; ++i) QTimer::singleShot(0, &w.window, [&answered] { ++answered; });
    QTRY_COMPARE(answered, 5);
    QVERIFY(w.window.document().busy());
    QCOMPARE(w.backend->opsRun.load(), 0);
    w.window.document().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!w.window.document().busy(), 5000);
}

void WindowTest::closesDuringARun() {
    auto w = std::make_unique<Slow>(60000);
    w->window.document().start();
    QTest::qWait(20);
    QVERIFY(w->window.document().busy());
    QElapsedTimer clock;
    clock.start();
    w->window.close();
    w.reset();
    QVERIFY2(clock.elapsed() < 5000, "closing waits for one block at most");
}

void WindowTest::escapeCancels() {
    Slow w(60000);
    w.window.document().start();
    QVERIFY(w.window.document().busy());
    QTest::keyClick(&w.window, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!w.window.document().busy(), 5000);
}

void WindowTest::keys() {
    Slow w(0);
    w.window.document().start();
    QTRY_VERIFY_WITH_TIMEOUT(settled(w.window.document()) && w.window.document().live().complete(), 30000);
    const int runs = w.window.document().runsStarted();
    QTest::keyClick(&w.window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.document().runsStarted() == runs + 1 && settled(w.window.document()),
                             30000);
    auto* table = w.window.livePage()->findChild<QWidget*>(QStringLiteral("tapsTable"));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_2);
    QCOMPARE(w.window.document().settings().live.tolerance.rtol, 1e-5);
    QTest::keyClick(table, Qt::Key_BracketRight);
    QVERIFY(w.window.document().settings().live.tolerance.rtol > 1e-5);
    QTest::keyClick(&w.window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.window.document().settings().live.tolerance.rtol, 1e-5);
    QTest::keyClick(&w.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(w.window.document().settings().live.tolerance.rtol > 1e-5);
    QTest::keyClick(&w.window, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(w.window.document().side(), Side::compare);
    QTest::keyClick(&w.window, Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(w.window.document().side(), Side::live);
    QTest::keyClick(&w.window, Qt::Key_F, Qt::ControlModifier);
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("tapsFilter"));
    QTest::keyClick(&w.window, Qt::Key_F6);
    QVERIFY(QApplication::focusWidget()->objectName() != QStringLiteral("tapsFilter"));
    QTRY_VERIFY_WITH_TIMEOUT(settled(w.window.document()), 30000);
}

void WindowTest::exportsAndCopies() {
    Slow w(0);
    w.window.document().start();
    QTRY_VERIFY_WITH_TIMEOUT(settled(w.window.document()) && w.window.document().live().complete(), 30000);
    QTemporaryDir folder;
    for (const char* name : {"plot.svg", "plot.png", "plot.csv"}) {
        const QString path = folder.filePath(QString::fromLatin1(name));
        file_dialogs::answerNext({path});
        QTest::keyClick(&w.window, Qt::Key_E, Qt::ControlModifier);
        QVERIFY2(QFileInfo(path).size() > 100, name);
    }
    QTest::keyClick(&w.window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("| max abs |")));
    w.window.findChild<QPushButton*>(QStringLiteral("commandLineButton"))->click();
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("divdet run mlp")));
    QVERIFY(w.window.messages()->count() > 0);
    file_dialogs::answerNext({folder.filePath(QStringLiteral("nowhere/plot.csv"))});
    QTest::keyClick(&w.window, Qt::Key_E, Qt::ControlModifier);
    QCOMPARE(w.window.messages()->findChild<MessageBar*>(QStringLiteral("messageBar_1"))->message().kind,
             MessageKind::error);
}

void WindowTest::layoutIsRestored() {
    {
        Slow w(0);
        w.window.findChild<QDockWidget*>(QStringLiteral("leftDock"))->hide();
        w.window.livePage()->plots()->showPlots({QStringLiteral("scatter")});
        w.window.saveLayout();
    }
    Slow w(0);
    w.window.restoreLayout();
    QVERIFY(w.window.findChild<QDockWidget*>(QStringLiteral("leftDock"))->isHidden());
    QCOMPARE(w.window.livePage()->plots()->shown(), QStringList{QStringLiteral("scatter")});
    w.window.defaultLayout();
    QVERIFY(!w.window.findChild<QDockWidget*>(QStringLiteral("leftDock"))->isHidden());
    QCOMPARE(w.window.livePage()->plots()->shown().size(), 2);
}

/// A dock that a page without settings or verdict hid comes back, in another window too.
void WindowTest::docksThatAPageHidComeBack() {
    {
        Slow w(0);
        w.window.showPage(Page::triage);
        for (const char* name : {"leftDock", "rightDock"})
            QVERIFY(w.window.findChild<QDockWidget*>(QString::fromLatin1(name))->isHidden());
        w.window.saveLayout();
    }
    Slow w(0);
    w.window.restoreLayout();
    for (const char* name : {"leftDock", "rightDock"})
        QVERIFY2(!w.window.findChild<QDockWidget*>(QString::fromLatin1(name))->isHidden(), name);
}

void WindowTest::sizes() {
    Slow w(0);
    for (const auto& [size, left, right] :
         {std::tuple(QSize(1440, 900), 280, 304), std::tuple(QSize(1024, 640), 272, 256),
          std::tuple(QSize(1300, 800), 264, 288)}) {
        w.window.resize(size);
        QTRY_COMPARE(w.window.size(), size);
        QTRY_COMPARE(w.window.findChild<QWidget*>(QStringLiteral("leftDock"))->width(), left);
        QTRY_COMPARE(w.window.findChild<QWidget*>(QStringLiteral("rightDock"))->width(), right);
    }
}

void WindowTest::shortcutsAreComplete() {
    Slow w(0);
    w.window.showShortcuts();
    auto* dialog = w.window.findChild<ShortcutsDialog*>();
    QVERIFY(dialog && !dialog->isModal());
    const QString all = dialog->lines().join(QLatin1Char('\n'));
    for (const char* key : {"Ctrl+O", "Ctrl+Shift+O", "F5", "Esc", "Ctrl+F", "Ctrl+Z", "F6", "Alt+M", "?"})
        QVERIFY2(all.contains(QString::fromLatin1(key)), key);
    dialog->findChild<QLineEdit*>()->setText(QStringLiteral("undo"));
    QCOMPARE(dialog->lines().size(), 1);
}

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
