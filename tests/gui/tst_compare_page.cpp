#include "workbench.h"

#include <QAction>
#include <QCheckBox>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QUndoStack>

#include "dialogs/file_dialogs.h"
#include "gui/actions.h"
#include "gui/main_window.h"
#include "gui/recent_pairs.h"
#include "shared_data.h"
#include "views/compare_page.h"
#include "views/widgets/message_stack.h"
#include "views/widgets/tap_matrix.h"
#include "views/widgets/verdict_block.h"

using namespace divdet;

/// Opened files in the whole window.
class ComparePageTest : public GuiTest {
    Q_OBJECT
private slots:
    void dropTwoFiles();
    void dropOneThenAnother();
    void severalCandidates();
    void aRuleWithoutAFrontierDecidesEveryCandidate();
    void unreadableIsABar();
    void missingTapsCanBeIgnored();
    void swap();
    void toleranceOnlyJudges();
    void changedOnDisk();
    void realDumps();
    void savedAndOpenedAgain();
    void exportsAReport();

private:
    std::unique_ptr<MainWindow> window() {
        auto made = std::make_unique<MainWindow>(twinSession());
        made->document().setRun(smallRun(made->document().settings().run), {});
        made->document().start();
        made->resize(1440, 900);
        made->show();
        return made;
    }
    static void drop(MainWindow& window, const QStringList& paths, const QPointF& at = {900, 500});
    static VerdictBlock* verdict(MainWindow& window) {
        return window.findChild<VerdictBlock*>(QStringLiteral("verdictBlock"));
    }
    static int rows(MainWindow& window) {
        return window.comparePage()->findChild<QTableView*>(QStringLiteral("tapsTable"))->model()->rowCount();
    }
    QTemporaryDir m_files;
};

void ComparePageTest::drop(MainWindow& window, const QStringList& paths, const QPointF& at) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter(at.toPoint(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
    QVERIFY(event.isAccepted());
}

void ComparePageTest::dropTwoFiles() {
    auto w = window();
    const QString a = writeDump(m_files.path(), QStringLiteral("a.npz"), 0);
    const QString b = writeDump(m_files.path(), QStringLiteral("b.safetensors"), 0.5f);
    drop(*w, {a, b});
    QCOMPARE(w->document().side(), Side::compare);
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    QCOMPARE(rows(*w), 2);
    QCOMPARE(verdict(*w)->content().word, QStringLiteral("OUTSIDE"));
    QVERIFY(verdict(*w)->content().sentence.startsWith(
        QStringLiteral("1 of 2 taps have elements outside rtol 1e-5")));
    QVERIFY(w->windowTitle().startsWith(QStringLiteral("a ⟷ b: OUTSIDE")));
    QCOMPARE(recentPairs().first().verdict, QStringLiteral("outside"));
    QCOMPARE(w->messages()->count(), 0);
    QVERIFY(w->comparePage()->commandLine().startsWith(QStringLiteral("divdet compare")));
}

void ComparePageTest::dropOneThenAnother() {
    auto w = window();
    const QString a = writeDump(m_files.path(), QStringLiteral("a.npz"), 0);
    const QString b = writeDump(m_files.path(), QStringLiteral("same.npz"), 0);
    drop(*w, {a});
    QCOMPARE(w->document().files().referenceName(), QStringLiteral("a.npz"));
    QVERIFY(w->document().files().candidates().empty());
    drop(*w, {b}, {1000, 500});
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()) && rows(*w) == 2, 20000);
    QCOMPARE(w->document().files().candidates().size(), std::size_t(1));
    QCOMPARE(verdict(*w)->content().word, QStringLiteral("WITHIN"));
    drop(*w, {b}, {320, 500}); // the left half is the reference's
    QCOMPARE(w->document().files().referenceName(), QStringLiteral("same.npz"));
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
}

void ComparePageTest::severalCandidates() {
    auto w = window();
    QStringList files{writeDump(m_files.path(), QStringLiteral("a.npz"), 0)};
    for (int i = 0; i < 4; ++i)
        files << writeDump(m_files.path(), QStringLiteral("c%1.npz").arg(i), 1e-7f * static_cast<float>(i));
    w->openFiles(files);
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    QCOMPARE(w->document().files().scansStarted(), 4);
    QCOMPARE(w->document().files().current(), 0);
    auto* matrix = w->findChild<TapMatrix*>(QStringLiteral("tapMatrix"));
    QCOMPARE(matrix->tapCount(), 2);
    emit matrix->currentChanged(2, 1);
    QCOMPARE(w->document().files().current(), 2);
    QCOMPARE(w->selection(Side::compare).tap(), QStringLiteral("second"));
    w->document().files().removeCandidate(2);
    QCOMPARE(w->document().files().candidates().size(), std::size_t(3));
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
}

void ComparePageTest::aRuleWithoutAFrontierDecidesEveryCandidate() {
    auto w = window();
    QStringList files{writeDump(m_files.path(), QStringLiteral("a.npz"), 0)};
    for (int i = 0; i < 3; ++i)
        files << writeDump(m_files.path(), QStringLiteral("c%1.npz").arg(i), 0.5f * static_cast<float>(i));
    w->openFiles(files);
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    ToleranceSettings torch = w->document().settings().compare;
    torch.tolerance.rule = Rule::torch;
    w->document().setTolerance(Side::compare, torch, QStringLiteral("rule"));
    const auto open = [&] {
        std::size_t taps = 0;
        for (const Candidate& c : w->document().files().candidates()) taps += c.judged.undecided().size();
        return taps;
    };
    QVERIFY(open() > 0); // nothing but a scan can tell
    QTRY_COMPARE_WITH_TIMEOUT(open(), std::size_t(0), 20000);
    QVERIFY(w->document().files().candidates()[0].judged.judgement()->verdict == Verdict::within);
    QVERIFY(w->document().files().candidates()[2].judged.judgement()->verdict == Verdict::outside);
}

void ComparePageTest::unreadableIsABar() {
    auto w = window();
    const QString a = writeDump(m_files.path(), QStringLiteral("a.npz"), 0);
    const QString bad = m_files.path() + QStringLiteral("/bad.npz");
    QFile file(bad);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("PK\003\004 not really");
    file.close();
    w->openFiles({a, bad});
    QTRY_COMPARE_WITH_TIMEOUT(w->messages()->count(), 1, 20000);
    QVERIFY(!QApplication::activeModalWidget());
    QCOMPARE(verdict(*w)->content().word, QStringLiteral("UNREADABLE"));
    auto* bar = w->messages()->findChild<MessageBar*>();
    QVERIFY(bar->message().head.contains(QStringLiteral("bad.npz")));
    QCOMPARE(bar->message().kind, MessageKind::error);
    w->document().files().addCandidate((m_files.path() + QStringLiteral("/gone.npz")).toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(w->messages()->count(), 2, 20000);
}

void ComparePageTest::missingTapsCanBeIgnored() {
    auto w = window();
    const QString a = writeDump(m_files.path(), QStringLiteral("a.npz"), 0);
    const QString less = m_files.path() + QStringLiteral("/less.npz");
    const std::vector<NamedTensor> one = {{"first", ramp(10, 0)}};
    QVERIFY(writeNpz(less.toStdString(), one));
    w->openFiles({a, less});
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    if (verdict(*w)->content().word == QLatin1String("INCOMPLETE"))
        QVERIFY(verdict(*w)->content().sentence.contains(QStringLiteral("only in the reference")));
    w->findChild<QCheckBox*>(QStringLiteral("ignoreMissingCheck"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    QCOMPARE(verdict(*w)->content().word, QStringLiteral("WITHIN"));
}

void ComparePageTest::swap() {
    auto w = window();
    const QString a = writeDump(m_files.path(), QStringLiteral("a.npz"), 0);
    const QString b = writeDump(m_files.path(), QStringLiteral("b.npz"), 0.5f);
    w->openFiles({a, b});
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    w->findChild<QPushButton*>(QStringLiteral("swapButton"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    QCOMPARE(w->document().files().referenceName(), QStringLiteral("b.npz"));
    QCOMPARE(w->document().files().candidates().front().name(), QStringLiteral("a.npz"));
    QCOMPARE(w->document().files().candidates().front().state, Candidate::State::done);
}

void ComparePageTest::toleranceOnlyJudges() {
    auto w = window();
    w->openFiles({writeDump(m_files.path(), QStringLiteral("a.npz"), 0),
                  writeDump(m_files.path(), QStringLiteral("b.npz"), 0.5f)});
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    QCOMPARE(w->document().settings().compare.tolerance.rtol, 1e-5); // the default preset of f32 pairs
    const int scans = w->document().scansStarted();
    w->document().setTolerance(Side::compare, withRtol(w->document().settings().compare, 0.9),
                               QStringLiteral("rtol"));
    QCOMPARE(verdict(*w)->content().tone == VerdictTone::outside, false);
    w->document().undoStack()->undo();
    QCOMPARE(verdict(*w)->content().word, QStringLiteral("OUTSIDE"));
    QCOMPARE(w->document().settings().compare.tolerance.rtol, 1e-5);
    QCOMPARE(w->document().scansStarted(), scans);
}

void ComparePageTest::changedOnDisk() {
    auto w = window();
    const QString a = writeDump(m_files.path(), QStringLiteral("a.npz"), 0);
    const QString b = writeDump(m_files.path(), QStringLiteral("b.npz"), 0.5f);
    w->openFiles({a, b});
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    writeDump(m_files.path(), QStringLiteral("b.npz"), 0);
    QTRY_COMPARE_WITH_TIMEOUT(w->messages()->count(), 1, 10000);
    auto* bar = w->messages()->findChild<MessageBar*>();
    QCOMPARE(bar->message().head, QStringLiteral("b.npz changed on disk"));
    QCOMPARE(verdict(*w)->content().word, QStringLiteral("OUTSIDE")); // still that of the old version
    bar->findChild<QPushButton*>()->click();
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()) && verdict(*w)->content().word == QLatin1String("WITHIN"),
                             20000);
}

void ComparePageTest::realDumps() {
    const QString folder = QString::fromStdString((test::sharedFolder() / "data/torch/dumps/").string());
    if (!QFile::exists(folder + QStringLiteral("eager_fp32.safetensors")))
        QSKIP("the shared dumps are not here");
    auto w = window();
    w->openFiles({folder + QStringLiteral("eager_fp32.safetensors"),
                  folder + QStringLiteral("compiled_fp32.safetensors"),
                  folder + QStringLiteral("eager_bf16.safetensors")});
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 60000);
    QCOMPARE(rows(*w), 49);
    for (const Candidate& candidate : w->document().files().candidates())
        QCOMPARE(candidate.state, Candidate::State::done);
    QVERIFY(w->document().judged(Side::compare).inexact().empty());
}

/// What is shown is kept in a file; that file alone shows it again, also after the dumps are gone.
void ComparePageTest::savedAndOpenedAgain() {
    const QString a = writeDump(m_files.path(), QStringLiteral("sa.npz"), 0);
    const QString b = writeDump(m_files.path(), QStringLiteral("sb.npz"), 0.5f);
    const QString file = m_files.filePath(QStringLiteral("kept.divdet"));
    QString sentence;
    {
        auto w = window();
        QVERIFY(!w->findChild<Actions*>()->saveResult->isEnabled()); // the live page has nothing to keep
        drop(*w, {a, b});
        QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
        sentence = verdict(*w)->content().sentence;
        file_dialogs::answerNext({file});
        w->findChild<Actions*>()->saveResult->trigger();
        QTRY_VERIFY(QFileInfo::exists(file));
        QTRY_COMPARE(w->messages()->count(), 1);
    }
    QVERIFY(QFile::remove(a) && QFile::remove(b));
    auto w = window();
    drop(*w, {file});
    QCOMPARE(w->document().side(), Side::compare);
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    QCOMPARE(rows(*w), 2);
    QCOMPARE(verdict(*w)->content().word, QStringLiteral("OUTSIDE"));
    QCOMPARE(verdict(*w)->content().sentence, sentence);
    QCOMPARE(w->document().files().referenceName(), QStringLiteral("sa.npz"));
    QCOMPARE(w->document().files().candidates().front().name(), QStringLiteral("sb.npz"));
    QVERIFY(w->findChild<QWidget*>(QStringLiteral("noteCard_saved"))); // says that the elements are not here
    // Another tolerance is judged from what was kept.
    ToleranceSettings loose = w->document().settings().compare;
    loose.tolerance.rtol = 0;
    loose.tolerance.atol = 0.6;
    w->document().setTolerance(Side::compare, loose, {});
    QCOMPARE(verdict(*w)->content().word, QStringLiteral("WITHIN"));
}

void ComparePageTest::exportsAReport() {
    auto w = window();
    drop(*w, {writeDump(m_files.path(), QStringLiteral("ra.npz"), 0),
              writeDump(m_files.path(), QStringLiteral("rb.npz"), 0.5f)});
    QTRY_VERIFY_WITH_TIMEOUT(settled(w->document()), 20000);
    for (const QString& suffix : {QStringLiteral("md"), QStringLiteral("html"), QStringLiteral("json")}) {
        const QString path = m_files.filePath(QStringLiteral("report.") + suffix);
        file_dialogs::answerNext({path});
        w->findChild<Actions*>()->exportReport->trigger();
        QTRY_VERIFY(QFileInfo::exists(path));
        QFile written(path);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().contains("second"));
    }
    file_dialogs::answerNext({m_files.filePath(QStringLiteral("report.pdf"))});
    w->findChild<Actions*>()->exportReport->trigger();
    QTRY_VERIFY(w->messages()->count() > 0);
    QVERIFY(!QFileInfo::exists(m_files.filePath(QStringLiteral("report.pdf"))));
}

QTEST_MAIN(ComparePageTest)
#include "tst_compare_page.moc"
