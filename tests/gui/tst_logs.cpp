#include "workbench.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTreeView>

#include "dialogs/file_dialogs.h"
#include "gui/main_window.h"
#include "gui/theme.h"
#include "models/guard_tree_model.h"
#include "models/log_tables.h"
#include "views/logs_page.h"
#include "views/widgets/log_timeline.h"

using namespace divdet;

/// The pages of logs and of triage in the whole window.
class LogsTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void showsTheSample();
    void showsWhatGraphsAreGuardedOn();
    void searchesGuards();
    void leadsFromAGraphToItsGuards();
    void guardTreeIsAWholeModel();
    void anotherPasteIsAnotherLog();
    void aThemeChangesNothingElse();
    void followingKeepsWhatIsSelected();
    void saysThatAGraphHasNoGuards();
    void opensFilesOnItsPage();
    void readsTheClipboard();
    void comparesWithALogFromBefore();
    void followsAFileThatGrows();
    void keepsToARank();
    void saysWhatItCannotRead();
    void exportsReports();
    void anotherLogDoesNotTakeTheAnswer();
    void followsALogThatIsNeverQuiet();
    void timelineNamesEvents();
    void triageLeadsToPages();
    void everyControlHasAName();
};

namespace {

QString recompile(int times, const char* name = "forward", int rank = -1) {
    QString out;
    for (int i = 0; i < times; ++i) {
        const QString prefix =
            QStringLiteral("%2V1130 12:00:%1.000000 42 torch/_dynamo/guards.py:2797] [0/%3] [__recompiles]")
                .arg(i, 2, 10, QLatin1Char('0'))
                .arg(rank < 0 ? QString() : QStringLiteral("[rank%1]:").arg(rank))
                .arg(i + 1);
        out += prefix +
               QStringLiteral(" Recompiling function %1 in /train/model.py:41\n").arg(QLatin1String(name));
        out += prefix + QStringLiteral("     triggered by the following guard failure(s):\n");
        out += prefix + QStringLiteral(
                            "     - 0/0: tensor 'L['x']' size mismatch at index 1. expected 512, actual %1\n")
                            .arg(513 + i);
    }
    return out;
}

QString guards(int frame) {
    const QString prefix =
        QStringLiteral("V1130 12:00:00.000000 42 torch/_dynamo/guards.py:1] [%1/0] [__guards] ").arg(frame);
    return prefix + QStringLiteral("GUARDS:\n") + prefix + QStringLiteral("+- RootGuardManager\n") + prefix +
           QStringLiteral("| +- EQUALS_MATCH: L['n'] == 3\n");
}

QString write(const QTemporaryDir& folder, const char* name, const QString& text, bool append = false) {
    const QString path = folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    if (!file.open(append ? QIODevice::Append : QIODevice::WriteOnly)) return {};
    file.write(text.toUtf8());
    return path;
}

struct Bench {
    MainWindow window{twinSession()};
    Bench() {
        window.resize(1280, 800);
        window.show();
        window.showPage(Page::logs);
    }
    LogsSide& side() { return window.document().logs(); }
    template <class T>
    T* find(const char* name) {
        return window.findChild<T*>(QString::fromLatin1(name));
    }
    QString word() { return find<QLabel>("logsWord")->text(); }
    void click(const char* name) { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(!side().running() && (side().answer() || side().error()), 10000);
    }
};

} // namespace

void LogsTest::showsTheSample() {
    Bench b;
    QVERIFY(b.find<QLabel>("logsEmpty")->isVisible());
    b.click("logsSample");
    b.settle();
    QCOMPARE(b.word(), QStringLiteral("STORM"));
    const auto* table = b.find<QTreeView>("logsRecompiles");
    QCOMPARE(table->model()->rowCount(), 2);
    const QModelIndex forward = table->model()->index(0, 0);
    QCOMPARE(forward.data().toString(), QStringLiteral("forward"));
    QCOMPARE(table->model()->index(0, 2).data().toString(), QStringLiteral("limit hit"));
    const QModelIndex seen = table->model()->index(0, 3, forward);
    QCOMPARE(seen.data(log_tables::ValuesRole).toList().size(), 9);
    // The fix of the first cause, with the user's own names and numbers.
    QVERIFY(b.find<QLabel>("logsFix")->text().startsWith(QStringLiteral("mark_dynamic(x, 1)")));
    b.click("logsCopyFix");
    QCOMPARE(QApplication::clipboard()->text(), b.find<QLabel>("logsFix")->text());
    b.find<QTabBar>("logsTabs")->setCurrentIndex(LogsPage::Breaks);
    QVERIFY(b.find<QLabel>("logsFix")->text().contains(QStringLiteral("model.py:52")));
    QVERIFY(b.find<QPlainTextEdit>("logsDetail")->toPlainText().contains(QStringLiteral("print(\"mean\"")));
    QCOMPARE(b.window.windowTitle(), QStringLiteral("Log: pasted text — Divergence Detective"));
}

void LogsTest::showsWhatGraphsAreGuardedOn() {
    Bench b;
    b.click("logsSample");
    b.settle();
    auto* tabs = b.find<QTabBar>("logsTabs");
    auto* tree = b.find<QTreeView>("logsGuards");
    const auto* model = tree->model();
    QVERIFY(tabs->isTabVisible(LogsPage::Guards));
    QCOMPARE(model->rowCount(), 4);
    tabs->setCurrentIndex(LogsPage::Guards);
    // The guard that fails most is shown, with what to do about it.
    QVERIFY(tree->currentIndex().data().toString().startsWith(QStringLiteral("check_tensor(L['x']")));
    QCOMPARE(tree->currentIndex().siblingAtColumn(GuardTreeModel::Failed).data().toString(),
             QStringLiteral("8"));
    QVERIFY(tree->isExpanded(tree->currentIndex().parent()));
    QVERIFY(b.find<QLabel>("logsFix")->text().startsWith(QStringLiteral("mark_dynamic(x, 1)")));
    QVERIFY(b.find<QPlainTextEdit>("logsDetail")->toPlainText().contains(QStringLiteral("size=[32, 512]")));
    QCOMPARE(tree->currentIndex().siblingAtColumn(GuardTreeModel::Place).data().toString(),
             QStringLiteral("/train/model.py:43 in forward"));
}

void LogsTest::searchesGuards() {
    Bench b;
    b.click("logsSample");
    b.settle();
    QTest::keyClick(&b.window, Qt::Key_F, Qt::ControlModifier);
    auto* field = b.find<QLineEdit>("guardSearch");
    QCOMPARE(b.find<QTabBar>("logsTabs")->currentIndex(), static_cast<int>(LogsPage::Guards));
    QTRY_VERIFY(field->hasFocus());
    auto* tree = b.find<QTreeView>("logsGuards");
    const auto* model = tree->model();
    const QString all = b.find<QLabel>("guardCounts")->text();
    QTest::keyClicks(field, QStringLiteral("FACTOR'] == 0.9"));
    QTRY_COMPARE(model->rowCount(), 1);
    QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("1/1  scale"));
    QVERIFY(b.find<QLabel>("guardCounts")->text().startsWith(QStringLiteral("1 of ")));
    QCOMPARE(tree->currentIndex().data().toString(), QStringLiteral("L['factor'] == 0.9"));
    field->setText(QStringLiteral("nowhere"));
    QTRY_COMPARE(model->rowCount(), 0);
    QCOMPARE(b.find<QPlainTextEdit>("logsDetail")->toPlainText(), QString());
    field->clear();
    QTRY_COMPARE(b.find<QLabel>("guardCounts")->text(), all);
    b.click("guardsFailing");
    QCOMPARE(model->rowCount(), 4);
    QCOMPARE(b.find<QLabel>("guardCounts")->text().section(QLatin1Char(' '), 0, 0), QStringLiteral("4"));
}

void LogsTest::leadsFromAGraphToItsGuards() {
    Bench b;
    b.click("logsSample");
    b.settle();
    b.find<QTabBar>("logsTabs")->setCurrentIndex(LogsPage::Guards);
    b.find<QLineEdit>("guardSearch")->setText(QStringLiteral("self.training"));
    QTRY_COMPARE(b.find<QTreeView>("logsGuards")->model()->rowCount(), 1);
    b.find<QTabBar>("logsTabs")->setCurrentIndex(LogsPage::Graphs);
    auto* graphs = b.find<QTreeView>("logsGraphs");
    graphs->setFocus();
    graphs->setCurrentIndex(graphs->model()->index(2, 0));
    QTest::keyClick(graphs, Qt::Key_Return);
    QCOMPARE(b.find<QTabBar>("logsTabs")->currentIndex(), static_cast<int>(LogsPage::Guards));
    auto* tree = b.find<QTreeView>("logsGuards");
    QCOMPARE(tree->currentIndex().data().toString(), QStringLiteral("1/1  scale"));
    QCOMPARE(tree->model()->rowCount(), 4);
    QVERIFY(tree->isExpanded(tree->currentIndex()));
}

void LogsTest::guardTreeIsAWholeModel() {
    GuardTreeModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    LogReport report;
    CompiledGraph graph;
    graph.id = "0/0";
    graph.tree = parseGuardTree("+- RootGuardManager\n| +- EQUALS_MATCH: L['n'] == 3\n"
                                "| +- GuardManager: source=L['x']\n| | +- TYPE_MATCH: check(L['x'])\n"
                                "+- LAMBDA_GUARD: 2 <= L['x'].size()[0]\n");
    report.graphs = {graph, graph};
    model.setReport(std::make_shared<const LogReport>(report));
    QCOMPARE(model.rowCount(), 2);
    const QModelIndex first = model.index(0, 0);
    QCOMPARE(model.rowCount(first), 2); // the root and the guard behind it
    QCOMPARE(model.rowCount(model.index(0, 0, first)), 2);
    QCOMPARE(model.guards(), std::size_t{10});
    model.setSearch({"type_match", false});
    QCOMPARE(model.hits(), std::size_t{2});
    const QModelIndex manager = model.index(0, 0, model.index(0, 0, model.index(0, 0)));
    QCOMPARE(manager.data().toString(), QStringLiteral("L['x']"));
    QCOMPARE(model.rowCount(manager), 1);
    QVERIFY(!model.worst().isValid());
    model.setReport(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void LogsTest::anotherPasteIsAnotherLog() {
    Bench b;
    b.click("logsSample");
    b.settle();
    b.find<QLineEdit>("guardSearch")->setText(QStringLiteral("factor"));
    b.click("guardsFailing");
    QTRY_COMPARE(b.find<QTreeView>("logsGuards")->model()->rowCount(), 3);
    b.side().paste(guards(0));
    b.settle();
    QVERIFY(b.find<QLineEdit>("guardSearch")->text().isEmpty());
    QVERIFY(!b.find<QPushButton>("guardsFailing")->isChecked());
    QCOMPARE(b.find<QTreeView>("logsGuards")->model()->rowCount(), 1);
    b.side().paste(QStringLiteral("Graph break in user code at a.py:3\nGraph Break Reason: Tensor.item\n"));
    b.settle();
    QCOMPARE(b.find<QTabBar>("logsTabs")->currentIndex(), static_cast<int>(LogsPage::Breaks));
}

void LogsTest::aThemeChangesNothingElse() {
    Bench b;
    b.click("logsSample");
    b.settle();
    b.find<QTabBar>("logsTabs")->setCurrentIndex(LogsPage::Guards);
    b.find<QLineEdit>("guardSearch")->setText(QStringLiteral("factor'] == 0.9"));
    QTRY_COMPARE(b.find<QTreeView>("logsGuards")->model()->rowCount(), 1);
    const ThemeChoice old = Theme::current().choice();
    Theme::apply(*qApp, ThemeChoice::dark);
    QCOMPARE(b.find<QLineEdit>("guardSearch")->text(), QStringLiteral("factor'] == 0.9"));
    QCOMPARE(b.find<QTreeView>("logsGuards")->model()->rowCount(), 1);
    QCOMPARE(b.find<QTabBar>("logsTabs")->currentIndex(), static_cast<int>(LogsPage::Guards));
    Theme::apply(*qApp, old);
}

void LogsTest::followingKeepsWhatIsSelected() {
    const QTemporaryDir folder;
    const QString path = write(folder, "run.log", guards(5) + guards(7) + recompile(2, "later"));
    Bench b;
    b.side().open({path});
    b.settle();
    auto* tree = b.find<QTreeView>("logsGuards");
    const QModelIndex seven = tree->model()->index(1, 0);
    QCOMPARE(seven.data().toString().section(QLatin1Char(' '), 0, 0), QStringLiteral("7/0"));
    tree->expandRecursively(seven);
    tree->setCurrentIndex(tree->model()->index(0, 0, seven));
    auto* functions = b.find<QTreeView>("logsRecompiles");
    functions->setCurrentIndex(functions->model()->index(0, 0));
    write(folder, "run.log", guards(1) + recompile(5, "sooner"), true);
    b.side().reread();
    QTRY_COMPARE_WITH_TIMEOUT(tree->model()->rowCount(), 3, 10000);
    const QModelIndex same = tree->model()->index(2, 0);
    QCOMPARE(tree->currentIndex().parent(), same);
    QVERIFY(tree->isExpanded(same));
    QVERIFY(!tree->isExpanded(tree->model()->index(0, 0))); // which is new
    QCOMPARE(functions->model()->index(0, 0).data().toString(), QStringLiteral("sooner"));
    QCOMPARE(functions->currentIndex().data().toString(), QStringLiteral("later"));
}

void LogsTest::saysThatAGraphHasNoGuards() {
    Bench b;
    b.side().paste(
        guards(3) +
        QStringLiteral("V1130 12:00:00.000000 42 a.py:1] {\"compilation_metrics\": {\"guard_count\": 4}, "
                       "\"frame_id\": 9, \"frame_compile_id\": 0}\n"));
    b.settle();
    auto* tabs = b.find<QTabBar>("logsTabs");
    tabs->setCurrentIndex(LogsPage::Graphs);
    auto* graphs = b.find<QTreeView>("logsGraphs");
    graphs->setFocus();
    const bool first = graphs->model()->index(0, 0).data().toString() == QStringLiteral("9/0");
    graphs->setCurrentIndex(graphs->model()->index(first ? 0 : 1, 0));
    QTest::keyClick(graphs, Qt::Key_Return);
    QCOMPARE(tabs->currentIndex(), static_cast<int>(LogsPage::Graphs));
    graphs->setCurrentIndex(graphs->model()->index(first ? 1 : 0, 0));
    QTest::keyClick(graphs, Qt::Key_Return);
    QCOMPARE(tabs->currentIndex(), static_cast<int>(LogsPage::Guards));
}

void LogsTest::opensFilesOnItsPage() {
    const QTemporaryDir folder;
    const QString path = write(folder, "run.log", recompile(4));
    Bench b;
    b.window.openFiles({path});
    b.settle();
    QCOMPARE(b.window.document().page(), Page::logs);
    QCOMPARE(b.side().answer()->report.recompileHeaders, 4);
    QCOMPARE(b.window.logsPage()->commandLine(), QStringLiteral("divdet logs ") + path);
    b.click("logsCommandLineButton");
    QCOMPARE(QApplication::clipboard()->text(), b.window.logsPage()->commandLine());
    QVERIFY(!b.find<QTabBar>("logsTabs")->isTabVisible(LogsPage::Changes));
}

void LogsTest::readsTheClipboard() {
    Bench b;
    QApplication::clipboard()->setText(recompile(3));
    b.click("logsPaste");
    b.settle();
    QCOMPARE(b.word(), QStringLiteral("STORM")); // one function, three times, one cause
    QCOMPARE(b.side().answer()->report.recompileHeaders, 3);
    QVERIFY(b.window.logsPage()->commandLine().isEmpty());
    QVERIFY(!b.find<QCheckBox>("logsFollow")->isEnabled());
}

void LogsTest::comparesWithALogFromBefore() {
    const QTemporaryDir folder;
    const QString before = write(folder, "before.log", recompile(5));
    const QString after = write(folder, "after.log", recompile(2, "other"));
    Bench b;
    b.side().open({after});
    b.settle();
    file_dialogs::answerNext({before});
    b.click("logsChooseBefore");
    QTRY_VERIFY_WITH_TIMEOUT(b.side().answer() && b.side().answer()->changes, 10000);
    QCOMPARE(b.find<QTabBar>("logsTabs")->currentIndex(), static_cast<int>(LogsPage::Changes));
    const auto* model = b.find<QTreeView>("logsChanges")->model();
    QCOMPARE(model->rowCount(), 2);
    QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("new"));
    QCOMPARE(model->index(1, 0).data().toString(), QStringLiteral("gone"));
    QCOMPARE(model->index(1, 2).data().toString(), QStringLiteral("5"));
    QVERIFY(b.window.logsPage()->commandLine().contains(QStringLiteral("--before ")));
    b.click("logsClearBefore");
    QTRY_VERIFY_WITH_TIMEOUT(b.side().answer() && !b.side().answer()->changes, 10000);
}

void LogsTest::followsAFileThatGrows() {
    const QTemporaryDir folder;
    const QString path = write(folder, "growing.log", recompile(1));
    Bench b;
    b.side().open({path});
    b.settle();
    QCOMPARE(b.side().answer()->report.recompileHeaders, 1);
    QTest::mouseClick(b.find<QCheckBox>("logsFollow"), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(b.side().following());
    b.settle();
    write(folder, "growing.log", recompile(2, "more"), true);
    QTRY_VERIFY_WITH_TIMEOUT(b.side().answer() && b.side().answer()->report.recompileHeaders == 3, 10000);
    b.side().setFollowing(false);
    const int readings = b.side().readings();
    write(folder, "growing.log", recompile(2, "again"), true);
    QTest::qWait(600);
    QCOMPARE(b.side().readings(), readings);
}

void LogsTest::keepsToARank() {
    const QTemporaryDir folder;
    const QString path = write(folder, "ranks.log", recompile(2, "a", 0) + recompile(3, "b", 1));
    Bench b;
    b.side().open({path});
    b.settle();
    QCOMPARE(b.side().answer()->report.recompileHeaders, 5);
    QCOMPARE(b.find<QSpinBox>("logsRank")->value(), -1);
    b.find<QSpinBox>("logsRank")->setValue(1);
    QTRY_VERIFY_WITH_TIMEOUT(b.side().answer() && b.side().answer()->report.recompileHeaders == 3, 10000);
}

void LogsTest::saysWhatItCannotRead() {
    Bench b;
    b.side().open({QStringLiteral("/no/such/file.log")});
    b.settle();
    QCOMPARE(b.word(), QStringLiteral("UNREADABLE"));
    QVERIFY(b.find<QLabel>("logsEmpty")->text().contains(QStringLiteral("/no/such/file.log")));
    QApplication::clipboard()->clear();
    b.click("logsPaste"); // a bar says that there is none
    QVERIFY(b.side().error());
    QApplication::clipboard()->setText(QStringLiteral("just a line of text"));
    b.click("logsPaste");
    QTRY_COMPARE(b.word(), QStringLiteral("NOTHING RECOGNISED"));
    QVERIFY(b.find<QTabBar>("logsTabs")->isTabVisible(LogsPage::Lines));
}

void LogsTest::exportsReports() {
    const QTemporaryDir folder;
    Bench b;
    const QTemporaryDir logs; // with a byte that is no UTF-8
    QFile log(logs.filePath(QStringLiteral("bytes.log")));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write(recompile(3).toUtf8().replace("model.py", "mod\xffl.py"));
    log.close();
    b.side().open({log.fileName()});
    b.settle();
    const auto actions = b.find<QPushButton>("logsExport")->menu()->actions();
    QCOMPARE(actions.size(), 3);
    const char* const starts[] = {"#", "<!DOCTYPE html>", "{"};
    for (int i = 0; i < 3; ++i) {
        const QString path = folder.filePath(QStringLiteral("report%1").arg(i));
        file_dialogs::answerNext({path});
        actions[i]->trigger();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray content = file.readAll();
        QVERIFY2(content.startsWith(starts[i]), content.left(40).constData());
        QVERIFY(content.contains("forward"));
    }
}

void LogsTest::anotherLogDoesNotTakeTheAnswer() {
    const QTemporaryDir folder;
    const QString first = write(folder, "first.log", recompile(4));
    const QString second = write(folder, "second.log", recompile(2, "other").repeated(20000));
    Bench b;
    b.side().open({first});
    b.settle();
    b.side().open({second});
    QVERIFY(!b.side().answer());
    QTest::keyClick(&b.window, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running(), 10000);
    if (!b.side().answer()) { // it had not been read before the key came
        QVERIFY(b.find<QLabel>("logsEmpty")->isVisible());
        QVERIFY(b.side().stopped());
    }
    b.side().reread();
    b.settle();
    QCOMPARE(b.side().answer()->report.recompileHeaders, 40000);
}

void LogsTest::followsALogThatIsNeverQuiet() {
    const QTemporaryDir folder;
    const QString path = write(folder, "busy.log", recompile(1));
    Bench b;
    b.side().open({path});
    b.settle();
    b.side().setFollowing(true);
    b.settle();
    int written = 1;
    QTimer writer;
    connect(&writer, &QTimer::timeout, this, [&] {
        write(folder, "busy.log", recompile(1, "more"), true);
        ++written;
    });
    writer.start(40);
    QTRY_VERIFY_WITH_TIMEOUT(b.side().answer() && b.side().answer()->report.recompileHeaders >= 5, 10000);
    writer.stop();
    QTRY_VERIFY_WITH_TIMEOUT(b.side().answer() && b.side().answer()->report.recompileHeaders == written,
                             10000);
}

void LogsTest::timelineNamesEvents() {
    Bench b;
    b.side().paste(recompile(3)); // at 0, 1 and 2 s
    b.settle();
    b.find<QTabBar>("logsTabs")->setCurrentIndex(LogsPage::Timeline);
    auto* timeline = b.find<LogTimeline>("logTimeline");
    QVERIFY(timeline->isVisible());
    int found = 0;
    double last = -1;
    for (int y = 0; y < timeline->height(); y += 4)
        for (int x = 0; x < timeline->width(); x += 2)
            if (const LogEvent* e = timeline->eventAt(QPointF(x, y)); e && e->at > last)
                last = e->at, ++found;
    QCOMPARE(found, 3);
    QCOMPARE(last, 2.0);
    QVERIFY(!timeline->grab().toImage().isNull());
}

void LogsTest::triageLeadsToPages() {
    Bench b;
    b.window.showPage(Page::triage);
    QVERIFY(!b.find<QDockWidget>("leftDock")->isVisible());
    const std::pair<const char*, Page> ways[] = {
        {"triage_wrong_0", Page::compare}, {"triage_wrong_1", Page::hunt},
        {"triage_slow_0", Page::logs},     {"triage_varies_0", Page::determinism},
        {"triage_replay_0", Page::stages}, {"triage_tolerance_0", Page::advisor},
        {"triage_accuracy_0", Page::live}};
    for (const auto& [name, page] : ways) {
        b.window.showPage(Page::triage);
        QVERIFY2(b.find<QPushButton>(name), name);
        b.click(name);
        QCOMPARE(b.window.document().page(), page);
        QVERIFY(b.find<QDockWidget>("leftDock")->isVisible());
    }
}

void LogsTest::everyControlHasAName() {
    Bench b;
    int controls = 0;
    for (const char* part : {"logsForm", "logsPage"})
        for (QWidget* widget : b.find<QWidget>(part)->findChildren<QWidget*>()) {
            const bool control = qobject_cast<QComboBox*>(widget) ||
                                 qobject_cast<QAbstractItemView*>(widget) ||
                                 qobject_cast<QPlainTextEdit*>(widget) || qobject_cast<QTabBar*>(widget) ||
                                 qobject_cast<QAbstractSpinBox*>(widget);
            if (!control || widget->inherits("QHeaderView")) continue;
            ++controls;
            QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
        }
    QVERIFY(controls >= 8);
}

QTEST_MAIN(LogsTest)
#include "tst_logs.moc"
