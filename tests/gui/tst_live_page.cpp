#include "workbench.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTreeView>
#include <QUndoStack>

#include "gui/main_window.h"
#include "models/pass_model.h"
#include "plots/faults_plot.h"
#include "plots/scatter_plot.h"
#include "plots/tolerance_plot.h"
#include "views/live_page.h"
#include "views/notes.h"
#include "views/plot_area.h"
#include "views/widgets/tol_slider.h"
#include "views/widgets/verdict_block.h"

using namespace divdet;

/// The running block in the whole window, at its default size: the seed lesson.
class LivePageTest : public GuiTest {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void withinByDefault();
    void wrongAccumulatorIsOutside();
    void eachToggle_data();
    void eachToggle();
    void draggingFlipsReassociate();
    void typing();
    void presets();
    void handleDragged();
    void plotsAndLayouts();
    void otherBlocks();
    void windowNote();
    void windowNoteSpeaksOfTheBugByItsTitle();
    void runNumber();
    void taskMetric();

private:
    template <class T>
    T* find(const char* name) {
        return m_window->findChild<T*>(QString::fromLatin1(name));
    }
    VerdictBlock* verdict() { return find<VerdictBlock>("verdictBlock"); }
    void toggle(const QString& id);
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(settled(m_window->document()) && m_window->document().live().complete(),
                                 90000);
    }
    void reset();

    std::unique_ptr<MainWindow> m_window;
    Settings m_start;
};

void LivePageTest::initTestCase() {
    m_window = std::make_unique<MainWindow>(twinSession());
    m_window->resize(1440, 900);
    m_window->show();
    m_window->document().start();
    m_start = m_window->document().settings();
    settle();
}

void LivePageTest::cleanupTestCase() {
    m_window.reset();
}

void LivePageTest::reset() {
    m_window->document().takeSettings(m_start);
    settle();
}

void LivePageTest::toggle(const QString& id) {
    auto* tree = find<QTreeView>("passTree");
    auto* model = qobject_cast<PassModel*>(tree->model());
    const QModelIndex row = model->indexOf(id);
    QVERIFY(row.isValid());
    tree->scrollTo(row);
    const QRect at = tree->visualRect(row);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(at.left() + 30, at.center().y()));
    settle();
}

void LivePageTest::withinByDefault() {
    QCOMPARE(verdict()->content().word, QStringLiteral("WITHIN"));
    QVERIFY(verdict()->content().sentence.contains(
        QStringLiteral("all 32,768 elements pass at rtol 1e-2, atol 1e-3")));
    QVERIFY(verdict()->content().useText.contains(QStringLiteral("on the linked path")));
    QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("mlp: WITHIN")));
    QCOMPARE(find<QTableView>("tapsTable")->model()->rowCount(), 6);
}

void LivePageTest::wrongAccumulatorIsOutside() {
    toggle(QStringLiteral("wrong-accumulator"));
    QCOMPARE(verdict()->content().word, QStringLiteral("OUTSIDE"));
    toggle(QStringLiteral("wrong-accumulator"));
    QCOMPARE(verdict()->content().word, QStringLiteral("WITHIN"));
    toggle(QStringLiteral("int8"));
    QCOMPARE(m_window->document().live().complete()->request.passes.size(), std::size_t(2));
    reset();
}

void LivePageTest::eachToggle_data() {
    QTest::addColumn<QString>("word");
    for (const char* drift : {"reassociate", "fuse", "tf32", "bf16", "int8"})
        QTest::newRow(drift) << QStringLiteral("WITHIN");
    QTest::newRow("wrong-accumulator") << QStringLiteral("OUTSIDE");
}

/// Every pass on its own, switched on and off by a click.
void LivePageTest::eachToggle() {
    QFETCH(const QString, word);
    RunSettings run = m_window->document().settings().run;
    run.passes.clear();
    m_window->document().setRun(run, QStringLiteral("no pass"));
    settle();
    const QString id = QString::fromLatin1(QTest::currentDataTag());
    toggle(id);
    const auto& passes = m_window->document().live().complete()->request.passes;
    QCOMPARE(passes.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(passes.front().id), id);
    QCOMPARE(verdict()->content().word, word);
    toggle(id);
    QVERIFY(m_window->document().live().complete()->request.passes.empty());
    QCOMPARE(verdict()->content().word, QStringLiteral("WITHIN"));
    reset();
}

void LivePageTest::draggingFlipsReassociate() {
    RunSettings run = m_window->document().settings().run;
    run.passes = {*lower::parsePass("reassociate")};
    m_window->document().setRun(run, QStringLiteral("reassociate alone"));
    settle();
    QCOMPARE(verdict()->content().word, QStringLiteral("WITHIN"));

    Document& document = m_window->document();
    auto* slider = find<TolSlider>("rtolSlider");
    auto* faults = find<FaultsPlot>("faultsPlot");
    auto* plane = find<TolerancePlot>("tolerancePlot");
    QCoreApplication::processEvents();
    const int runs = document.runsStarted(), scans = document.scansStarted(), recounts = document.recounts();
    const auto at = [slider](double value) { return QPoint(qRound(slider->xOf(value)), 10); };
    QTest::mousePress(slider, Qt::LeftButton, {}, at(1e-2));
    for (double rtol : {5e-3, 1e-3, 1e-4, 1e-5}) {
        const int judgements = document.judgements(), bars = faults->replots(), planes = plane->replots();
        QTest::mouseMove(slider, at(rtol));
        QCoreApplication::processEvents();
        QTRY_COMPARE(faults->replots(), bars + 1);
        QTRY_COMPARE(plane->replots(), planes + 1);
        QCOMPARE(document.judgements(), judgements + 1);
    }
    QCOMPARE(document.runsStarted(), runs);
    QCOMPARE(document.scansStarted(), scans);
    QCOMPARE(document.recounts(), recounts); // held: no exact count yet
    QTest::mouseRelease(slider, Qt::LeftButton, {}, at(1e-5));
    const Tolerance now = document.settings().live.tolerance;
    QVERIFY2(now.rtol > 0.7e-5 && now.rtol < 1.4e-5, qPrintable(QString::number(now.rtol)));
    QVERIFY(qAbs(now.atol - linkedAtol(now.rtol)) < 1e-3 * now.atol);
    QCOMPARE(verdict()->content().word, QStringLiteral("OUTSIDE"));
    QTRY_VERIFY_WITH_TIMEOUT(settled(document), 30000);
    QVERIFY(!verdict()->content().sentence.contains(QChar(0x2248))); // exact after a rest
    reset();
}

void LivePageTest::typing() {
    auto* edit = find<QLineEdit>("rtolEdit");
    const auto type = [edit](const char* text) {
        edit->selectAll();
        QTest::keyClicks(edit, QString::fromLatin1(text));
        QTest::keyClick(edit, Qt::Key_Return);
    };
    type("1e-5");
    QCOMPARE(m_window->document().settings().live.tolerance.rtol, 1e-5);
    QCOMPARE(find<QLineEdit>("atolEdit")->text(), QStringLiteral("1e-8"));
    auto* error = find<QLabel>("toleranceError");
    QVERIFY(error->isHidden());
    type("1e-");
    QVERIFY(!error->isHidden());
    QVERIFY(error->text().contains(QStringLiteral("1e-")));
    QCOMPARE(m_window->document().settings().live.tolerance.rtol, 1e-5);
    type("0.01");
    QVERIFY(error->isHidden());
    QCOMPARE(edit->text(), QStringLiteral("1e-2"));
    reset();
}

void LivePageTest::presets() {
    find<QPushButton>("preset_fp32")->click();
    QCOMPARE(m_window->document().settings().live.tolerance.atol, 1e-8);
    QVERIFY(find<QPushButton>("preset_fp32")->isChecked());
    QVERIFY(!find<QPushButton>("preset_bf16")->isChecked());
    find<QPushButton>("linkButton")->click();
    QVERIFY(!m_window->document().settings().live.linked);
    find<QPushButton>("preset_bf16")->click();
    find<QComboBox>("ruleCombo")->setCurrentIndex(1);
    emit find<QComboBox>("ruleCombo")->activated(1);
    QVERIFY(m_window->document().settings().live.tolerance.rule == Rule::either);
    reset();
}

void LivePageTest::handleDragged() {
    auto* plane = find<TolerancePlot>("tolerancePlot");
    emit plane->toleranceDragged(1e-3, linkedAtol(1e-3));
    QVERIFY(m_window->document().settings().live.linked);
    QVERIFY(m_window->document().inGesture());
    emit plane->toleranceDragged(1e-3, 1e-7); // Shift: off the path
    QVERIFY(!m_window->document().settings().live.linked);
    QCOMPARE(m_window->document().settings().live.tolerance.atol, 1e-7);
    m_window->livePage()->plots()->setFocus();
    QTest::mouseRelease(plane->findChild<QWidget*>(), Qt::LeftButton);
    QTRY_VERIFY(!m_window->document().inGesture());
    reset();
}

void LivePageTest::plotsAndLayouts() {
    PlotArea* area = m_window->livePage()->plots();
    QCOMPARE(area->shown(), (QStringList{QStringLiteral("faults"), QStringLiteral("tolerance")}));
    find<QPushButton>("plotScatter")->click();
    QVERIFY(area->shown().contains(QStringLiteral("scatter")));
    QCOMPARE(area->shown().size(), 2);
    area->setLayoutCount(1);
    QCOMPARE(area->shown().size(), 1);
    m_window->resize(1100, 700);
    QCOMPARE(area->room(), 1);
    QVERIFY(!find<QToolButton>("layout2")->isEnabled());
    m_window->resize(1440, 900);
    area->showPlots({QStringLiteral("faults"), QStringLiteral("tolerance")});
    QCOMPARE(area->shown().size(), 2);
}

void LivePageTest::otherBlocks() {
    auto* combo = find<QComboBox>("blockCombo");
    for (const char* block : {"linear", "reduction"}) {
        combo->setCurrentIndex(combo->findData(QString::fromLatin1(block)));
        emit combo->activated(combo->currentIndex());
        settle();
        QCOMPARE(QString::fromStdString(m_window->document().live().complete()->request.block),
                 QString::fromLatin1(block));
        QVERIFY(!m_window->document().live().error());
    }
    QVERIFY(find<QSpinBox>("kSpin"));
    QVERIFY(!find<QSpinBox>("hiddenSpin"));
    reset();
    QVERIFY(find<QSpinBox>("hiddenSpin"));
}

void LivePageTest::windowNote() {
    auto* card = find<QWidget>("noteCard_window");
    QVERIFY(card && !card->isHidden());
    QCOMPARE(card->accessibleName(), QStringLiteral("A window is open"));
    RunSettings run = m_window->document().settings().run;
    run.passes.clear();
    m_window->document().setRun(run, QStringLiteral("none"));
    settle();
    auto* none = find<QWidget>("noteCard_noPass");
    QVERIFY(none && !none->isHidden());
    reset();
}

void LivePageTest::windowNoteSpeaksOfTheBugByItsTitle() {
    const auto noteOf = [this](const char* pass) {
        RunSettings run = m_window->document().settings().run;
        run.passes = {*lower::parsePass("reassociate"), *lower::parsePass(pass)};
        m_window->document().setRun(run, QStringLiteral("bug"));
        settle();
        for (const Note& note : liveNotes(m_window->document()))
            if (note.id == QLatin1String("window")) return note.text;
        return QString();
    };
    const QString clipped = noteOf("clip-calibration");
    QVERIFY2(clipped.contains(QStringLiteral("“Clipped calibration”")), qPrintable(clipped));
    QVERIFY2(!clipped.contains(QStringLiteral("the “")), qPrintable(clipped));
    const QString narrow = noteOf("wrong-accumulator=bf16");
    QVERIFY2(narrow.contains(QStringLiteral("he bf16 accumulator")), qPrintable(narrow));
    reset();
}

/// The passes that vary from run to run give other bits in another run; a step of undo gives the first back.
void LivePageTest::runNumber() {
    Document& document = m_window->document();
    RunSettings run = document.settings().run;
    run.passes = {*lower::parsePass("atomics")};
    document.setRun(run, QStringLiteral("atomics"));
    settle();
    const auto errors = [&] {
        std::vector<double> all;
        for (const TapPair& pair : document.live().complete()->together->pairs)
            all.push_back(pair.summary->maxAbs.value);
        return all;
    };
    const auto first = errors();
    auto* spin = find<QSpinBox>("runNumberSpin");
    QVERIFY(spin && !spin->toolTip().isEmpty());
    QCOMPARE(spin->value(), 0);
    spin->setValue(1);
    settle();
    QCOMPARE(document.live().complete()->request.runNumber, std::uint64_t(1));
    QVERIFY(errors() != first);
    QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Run number"));
    document.undoStack()->undo();
    settle();
    QCOMPARE(spin->value(), 0);
    QVERIFY(errors() == first);

    run = document.settings().run;
    run.passes = {*lower::parsePass("reassociate")};
    document.setRun(run, QStringLiteral("reassociate"));
    settle();
    const auto same = errors();
    spin->setValue(7);
    settle();
    QVERIFY(errors() == same); // nothing varies
    reset();
}

/// The trained model with one clipped channel: within a loose tolerance, and the metric tells what is lost.
void LivePageTest::taskMetric() {
    auto* footer = find<QLabel>("verdictFooter");
    QCOMPARE(footer->text(), QStringLiteral("Task metric: none. This block has no logits."));
    QVERIFY(footer->toolTip().isEmpty());
    RunSettings run = m_start.run;
    run.block = "lm";
    run.dims.clear();
    run.passes = {*lower::parsePass("clip-calibration")};
    m_window->document().setRun(run, QStringLiteral("lm"));
    ToleranceSettings loose = m_start.live;
    loose.linked = false;
    loose.tolerance.rtol = 0.1;
    loose.tolerance.atol = 0.6;
    m_window->document().setTolerance(Side::live, loose, QStringLiteral("loose"));
    settle();
    QCOMPARE(verdict()->content().word, QStringLiteral("WITHIN"));
    QVERIFY2(footer->text().contains(QStringLiteral("accuracy 73.63 % to 67.33 %")),
             qPrintable(footer->text()));
    QVERIFY2(footer->toolTip().contains(QStringLiteral("Headroom")), qPrintable(footer->toolTip()));
    QVERIFY(footer->isVisible());
    auto* card = find<QWidget>("noteCard_metric");
    QVERIFY(card && !card->isHidden());
    QCOMPARE(card->accessibleName(), QStringLiteral("Tolerance and task disagree"));
    ToleranceSettings tight = loose; // outside as well: then they agree, without a new run
    tight.tolerance.rtol = tight.tolerance.atol = 1e-3;
    m_window->document().setTolerance(Side::live, tight, QStringLiteral("tight"));
    settle();
    QCOMPARE(verdict()->content().word, QStringLiteral("OUTSIDE"));
    QVERIFY(!find<QWidget>("noteCard_metric") || find<QWidget>("noteCard_metric")->isHidden());
    reset();
}

QTEST_MAIN(LivePageTest)
#include "tst_live_page.moc"
