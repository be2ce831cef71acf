#include "workbench.h"

#include <QClipboard>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "gui/main_window.h"
#include "models/taps_model.h"
#include "plots/depth_plot.h"
#include "plots/qcp.h"
#include "plots/scatter_plot.h"
#include "tensor/convert.h"
#include "views/element_inspector.h"
#include "views/finding_card.h"
#include "views/live_page.h"
#include "views/plot_area.h"
#include "views/taps_pane.h"
#include "views/widgets/verdict_block.h"

using namespace divdet;

/// The judge in the whole window: classes, the line that leads to the fault, cards, depth plot, inspector.
class JudgeViewTest : public GuiTest {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanupTestCase();
    void bugHasItsClassAndPlace();
    void linkSelectsTheTap();
    void cardSaysTheFinding();
    void cardLeadsToTheElement();
    void driftIsCalledDrift();
    void classesNeedNoSecondScan();
    void depthPlotFollowsTheSelection();
    void typedElement();
    void clickedBin();
    void toleranceReadsNoElement();
    void bothThemes();
    void columnsCanBeChosen();
    void dumpsHaveCards();

private:
    template <class T>
    T* find(const char* name) {
        return m_window->findChild<T*>(QString::fromLatin1(name));
    }
    Document& document() { return m_window->document(); }
    Selection& selection() { return m_window->selection(Side::live); }
    const VerdictContent& verdict() { return find<VerdictBlock>("verdictBlock")->content(); }
    FindingCard* card(const char* id) {
        return m_window->findChild<FindingCard*>(QStringLiteral("findingCard_") + QString::fromLatin1(id));
    }
    QString cell(const char* tap, int column) {
        TapsModel* model = m_window->livePage()->taps()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, TapsModel::Tap).data().toString() == QLatin1String(tap))
                return model->index(row, column).data().toString();
        return {};
    }
    void settle() {
        auto* inspector = find<ElementInspector>("elementInspector");
        QTRY_VERIFY_WITH_TIMEOUT(settled(document()) && document().live().complete() &&
                                     document().live().newest()->complete && !inspector->running(),
                                 90000);
    }
    void run(const char* passes);

    std::unique_ptr<MainWindow> m_window;
};

void JudgeViewTest::initTestCase() {
    m_window = std::make_unique<MainWindow>(twinSession());
    document().setRun(smallRun(document().settings().run), {});
    m_window->resize(1440, 900);
    m_window->show();
    document().start();
    settle();
}

void JudgeViewTest::init() {
    failOnWarnings();
    m_window->showPage(Side::live);
    run("wrong-accumulator=bf16");
}

void JudgeViewTest::cleanupTestCase() {
    m_window.reset();
}

void JudgeViewTest::run(const char* passes) {
    RunSettings next = document().settings().run;
    next.passes.clear();
    for (const QString& pass : QString::fromLatin1(passes).split(QLatin1Char(' ')))
        next.passes.push_back(*lower::parsePass(pass.toStdString()));
    document().setRun(next, QStringLiteral("test"));
    settle();
    selection().reset(QStringLiteral("out"));
    settle();
}

void JudgeViewTest::bugHasItsClassAndPlace() {
    QCOMPARE(cell("up", TapsModel::ClassColumn), QStringLiteral("bug"));
    QCOMPARE(cell("x", TapsModel::ClassColumn), QStringLiteral("identical"));
    QVERIFY(cell("up", TapsModel::Bound).contains(QStringLiteral("beyond")));
    QVERIFY(cell("up", TapsModel::ZRms).toDouble() > 2 || cell("up", TapsModel::ZRms).contains(','));
    QVERIFY(verdict().cls == ClassTone::bug);
    QCOMPARE(verdict().classBefore, QStringLiteral("bug in "));
    QCOMPARE(verdict().classTap, QStringLiteral("up"));
    TapsModel* model = m_window->livePage()->taps()->model();
    int flags = 0;
    for (int row = 0; row < model->rowCount(); ++row)
        flags += model->index(row, TapsModel::Tap).data(TapsModel::FirstFaultRole).toBool();
    QCOMPARE(flags, 1);
    QTableView* table = m_window->livePage()->taps()->table();
    QVERIFY(!table->isColumnHidden(TapsModel::ClassColumn));
    QVERIFY(!table->isColumnHidden(TapsModel::ZRms));
    const QString csv = m_window->livePage()->taps()->csv();
    QVERIFY(csv.startsWith(QStringLiteral("#,tap,")));
    QVERIFY(csv.section(QLatin1Char('\n'), 0, 0).contains(QStringLiteral("rms z,bound")));
    QVERIFY(csv.section(QLatin1Char('\n'), 0, 0).endsWith(QStringLiteral("class")));
}

void JudgeViewTest::linkSelectsTheTap() {
    QCOMPARE(selection().tap(), QStringLiteral("out"));
    auto* line = find<QLabel>("verdictClassLine");
    QVERIFY(line->isVisible());
    line->setFocus();
    QTest::keyClick(line, Qt::Key_Tab); // moves to the link
    emit line->linkActivated(QStringLiteral("#"));
    QCOMPARE(selection().tap(), QStringLiteral("up"));
    QCOMPARE(m_window->livePage()
                 ->taps()
                 ->table()
                 ->currentIndex()
                 .siblingAtColumn(TapsModel::Tap)
                 .data()
                 .toString(),
             QStringLiteral("up"));
}

void JudgeViewTest::cardSaysTheFinding() {
    selection().select(QStringLiteral("up"));
    FindingCard* beyond = card("beyond-bound");
    QVERIFY(beyond && beyond->isVisible());
    const auto& pairs = document().live().judged().comparison()->pairs;
    const auto up = std::find_if(pairs.begin(), pairs.end(), [](const TapPair& p) { return p.name == "up"; });
    QVERIFY(up != pairs.end() && !up->findings.empty());
    QCOMPARE(up->findings.front().id, std::string("beyond-bound"));
    const QString said = QString::fromStdString(up->findings.front().text);
    QVERIFY(beyond->finding().sentence.contains(said.mid(1)));
    bool shown = false;
    for (const QLabel* label : beyond->findChildren<QLabel*>())
        shown = shown || label->text().contains(said.mid(1));
    QVERIFY(shown);
    FindingCard* same = card("same-bits-as");
    QVERIFY(same && same->finding().sentence.contains(QStringLiteral("wrong-accumulator=bf16")));
    find<QPushButton>("copyEvidenceButton")->click();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY(copied.contains(QStringLiteral("beyond-bound")) && copied.contains(said));
    QVERIFY(copied.contains(QStringLiteral("- largest_score: ")));
}

void JudgeViewTest::cardLeadsToTheElement() {
    FindingCard* beyond = card("beyond-bound");
    QVERIFY(beyond); // `out` is selected and only inherits: the fault comes first
    QVERIFY(card("inherited"));
    const qint64 element = beyond->finding().element;
    QVERIFY(element >= 0);
    auto* show = beyond->findChild<QPushButton*>(QStringLiteral("showPlaceButton"));
    QVERIFY(show->isVisible() && show->focusPolicy() != Qt::NoFocus);
    show->setFocus();
    QTest::keyClick(show, Qt::Key_Space);
    QCOMPARE(selection().tap(), QStringLiteral("up"));
    QCOMPARE(selection().element(), element);
    QVERIFY(m_window->livePage()->plots()->shown().contains(QStringLiteral("map")));
    settle();
    bool exact = false;
    for (const auto& line : find<ElementInspector>("elementInspector")->lines())
        exact = exact || line.label == QLatin1String("exact");
    QVERIFY(exact);
}

void JudgeViewTest::driftIsCalledDrift() {
    run("tf32");
    QCOMPARE(cell("up", TapsModel::ClassColumn), QStringLiteral("drift"));
    QVERIFY(verdict().cls == ClassTone::drift);
    QCOMPARE(verdict().classBefore, QStringLiteral("drift: every op does what is declared"));
    QVERIFY(verdict().classTap.isEmpty());
    QVERIFY(!card("beyond-bound"));
    QVERIFY(card("within-bound"));
    const double z = cell("up", TapsModel::ZRms).toDouble();
    QVERIFY2(z > 0.5 && z < 2, qPrintable(QString::number(z)));
}

/// The verdict's snapshot has no classes; they arrive in another one, for the same numbers.
void JudgeViewTest::classesNeedNoSecondScan() {
    RunSettings next = document().settings().run;
    next.passes = {*lower::parsePass("int8")};
    next.seed = 77;
    const int scans = document().scansStarted(), recounts = document().recounts();
    std::vector<bool> pending;
    std::vector<std::shared_ptr<const Judgement>> judgements;
    std::vector<const Summary*> summaries;
    const auto watch = connect(&document(), &Document::resultChanged, this, [&](Side side) {
        if (side != Side::live) return;
        pending.push_back(document().live().classesPending());
        judgements.push_back(document().live().judged().judgement());
        summaries.push_back(document().live().judged().comparison()->pairs.back().summary.get());
        if (pending.back()) {
            QCOMPARE(cell("up", TapsModel::ClassColumn), QStringLiteral("–"));
            QVERIFY(verdict().cls == ClassTone::none);
            QVERIFY(find<QLabel>("noFinding")->text().contains(QStringLiteral("being judged")));
        }
    });
    document().setRun(next, QStringLiteral("test"));
    settle();
    disconnect(watch);
    QCOMPARE(document().scansStarted(), scans + 1);
    QCOMPARE(document().recounts(), recounts);
    QVERIFY(pending.size() >= 2);
    QVERIFY(pending.front());
    QVERIFY(!pending.back());
    for (std::size_t i = 1; i < judgements.size(); ++i) {
        QCOMPARE(summaries[i], summaries[0]);
        QCOMPARE(judgements[i].get(), judgements[0].get());
    }
    QCOMPARE(cell("up", TapsModel::ClassColumn), QStringLiteral("drift"));
}

void JudgeViewTest::depthPlotFollowsTheSelection() {
    PlotArea* area = m_window->livePage()->plots();
    find<QPushButton>("plotDepth")->click();
    QVERIFY(area->shown().contains(QStringLiteral("depth")));
    auto* depth = find<DepthPlot>("depthPlot");
    QTRY_VERIFY(depth->replots() > 0);
    QCOMPARE(int(depth->points().size()), m_window->livePage()->taps()->model()->rowCount());
    int up = -1, faults = 0;
    for (int i = 0; i < int(depth->points().size()); ++i) {
        if (depth->points()[std::size_t(i)].tap == QLatin1String("up")) up = i;
        faults += depth->points()[std::size_t(i)].firstFault;
    }
    QCOMPARE(faults, 1);
    QVERIFY(up >= 0 && depth->points()[std::size_t(up)].zRms);
    const QPointF at = depth->place(up);
    QMouseEvent move(QEvent::MouseMove, at, depth->customPlot().mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     {});
    QCoreApplication::sendEvent(&depth->customPlot(), &move);
    QVERIFY(depth->currentReadout());
    QCOMPARE(depth->currentReadout()->title, QStringLiteral("up"));
    QCOMPARE(depth->currentReadout()->rows.front().second, QStringLiteral("bug"));
    QTest::mouseClick(&depth->customPlot(), Qt::LeftButton, {}, at.toPoint());
    QCOMPARE(selection().tap(), QStringLiteral("up"));
    QTest::keyClick(depth, Qt::Key_Right);
    QVERIFY(selection().tap() != QLatin1String("up"));
    QVERIFY(depth->csv().contains(QStringLiteral("\nup,bug,")));
    QVERIFY(!depth->customPlot().yAxis->label().isEmpty() && !depth->customPlot().xAxis->label().isEmpty());
}

void JudgeViewTest::typedElement() {
    auto* field = find<QLineEdit>("elementIndex");
    auto* error = find<QLabel>("elementError");
    const auto type = [field](const char* text) {
        field->selectAll();
        QTest::keyClicks(field, QString::fromLatin1(text));
        QTest::keyClick(field, Qt::Key_Return);
    };
    type("3, 5");
    QCOMPARE(selection().element(), qint64(3 * 64 + 5));
    settle();
    const auto& lines = find<ElementInspector>("elementInspector")->lines();
    QVERIFY(lines.size() >= 6);
    const TapPair& out = document().live().judged().comparison()->pairs.back();
    const auto data = out.load();
    QVERIFY(data);
    QCOMPARE(lines[0].value.toFloat(), static_cast<float>(elementAt(data->reference.view(), 3 * 64 + 5)));
    type("8, 0");
    QVERIFY(error->isVisible());
    QCOMPARE(selection().element(), qint64(3 * 64 + 5));
    type("[0, 1]");
    QVERIFY(!error->isVisible());
    QCOMPARE(selection().element(), qint64(1));
}

void JudgeViewTest::clickedBin() {
    find<QPushButton>("plotScatter")->click();
    auto* scatter = find<ScatterPlot>("scatterPlot");
    QTRY_VERIFY(scatter->replots() > 0);
    const ScatterGrid& grid = scatter->grid();
    QVERIFY(grid.columns > 0);
    int column = -1, row = -1;
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.columns; ++c)
            if (grid.count(c, r) > 0) column = grid.firstColumn + c, row = grid.firstRow + r;
    QVERIFY(column >= 0);
    emit scatter->binPicked(column, row);
    QTRY_VERIFY(selection().element() >= 0);
    settle();
    const TapPair& out = document().live().judged().comparison()->pairs.back();
    const auto facts = elementFacts(out, selection().element());
    QVERIFY(facts);
    QCOMPARE(ErrorHistogram::column(std::fabs(facts->reference)), column);
    QCOMPARE(ErrorHistogram::row(std::fabs(facts->difference)), row);
}

void JudgeViewTest::toleranceReadsNoElement() {
    auto* inspector = find<ElementInspector>("elementInspector");
    const int reads = inspector->reads();
    const auto valueOf = [inspector](const char* label) {
        for (const auto& line : inspector->lines())
            if (line.label == QLatin1String(label)) return line.value;
        return QString();
    };
    const QString before = valueOf("tolerance");
    QVERIFY(!before.isEmpty());
    ToleranceSettings next = document().settings().live;
    document().setTolerance(Side::live, withRtol(next, 1e-6), QStringLiteral("test"));
    QVERIFY(valueOf("tolerance") != before);
    QCOMPARE(valueOf("at this tolerance"), QStringLiteral("fails"));
    QCOMPARE(inspector->reads(), reads);
    document().setTolerance(Side::live, next, QStringLiteral("test"));
    settle();
}

/// Class and link change their colours with the theme and keep their words.
void JudgeViewTest::bothThemes() {
    auto* line = find<QLabel>("verdictClassLine");
    const QString light = line->text();
    QTableView* table = m_window->livePage()->taps()->table();
    const auto ground = [table] { return table->viewport()->grab().toImage(); };
    const QImage lightTable = ground();
    Theme::apply(*qApp, ThemeChoice::dark);
    QCoreApplication::processEvents();
    QVERIFY(line->text() != light);
    QVERIFY(line->text().contains(tokenColor(Token::accent, true).name()));
    const QImage darkTable = ground();
    const auto has = [](const QImage& image, const QColor& ink) {
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y) == ink) return true;
        return false;
    };
    QVERIFY(has(lightTable, tokenColor(Token::outsideFg, false)));
    QVERIFY(has(darkTable, tokenColor(Token::outsideFg, true)));
    QVERIFY(!has(darkTable, tokenColor(Token::outsideFg, false)));
    Theme::apply(*qApp, ThemeChoice::light);
    QCoreApplication::processEvents();
    QCOMPARE(line->text(), light);
}

void JudgeViewTest::columnsCanBeChosen() {
    QTableView* table = m_window->livePage()->taps()->table();
    const auto trigger = [&](const QString& name) {
        const std::unique_ptr<QMenu> menu(m_window->livePage()->taps()->columnMenu());
        for (QAction* action : menu->actions())
            if (action->text() == name) action->trigger();
    };
    QVERIFY(table->isColumnHidden(TapsModel::MaxUlp)); // no room
    trigger(QStringLiteral("max ulp"));
    QVERIFY(!table->isColumnHidden(TapsModel::MaxUlp));
    trigger(QStringLiteral("class"));
    QVERIFY(table->isColumnHidden(TapsModel::ClassColumn));
    trigger(QStringLiteral("Columns that fit"));
    QVERIFY(table->isColumnHidden(TapsModel::MaxUlp));
    QVERIFY(!table->isColumnHidden(TapsModel::ClassColumn));
}

void JudgeViewTest::dumpsHaveCards() {
    m_window->openFiles({writeDump(settingsFolder(), QStringLiteral("reference.npz"), 0),
                         writeDump(settingsFolder(), QStringLiteral("bad.npz"), 0.5f)});
    m_window->showPage(Side::compare);
    QTRY_VERIFY_WITH_TIMEOUT(settled(document()) && document().judged(Side::compare).judgement(), 30000);
    QVERIFY(verdict().cls == ClassTone::bug);
    QCOMPARE(verdict().classTap, QStringLiteral("second"));
    FindingCard* offset = card("offset");
    QVERIFY(offset && offset->isVisible());
    QCOMPARE(offset->finding().tap, QStringLiteral("second"));
    m_window->selection(Side::compare).select(QStringLiteral("first"));
    QVERIFY(card("identical") && card("offset")); // the fault first, then the selected tap
}

QTEST_MAIN(JudgeViewTest)
#include "tst_judge_view.moc"
