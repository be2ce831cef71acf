#include "workbench.h"

#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeView>

#include "gui/main_window.h"
#include "models/determinism_table.h"
#include "views/determinism_page.h"
#include "views/widgets/cost_bars.h"

using namespace divdet;

/// The page of the determinism lab in the whole window. Whether threads race in other orders is chance: every
/// test holds either way.
class DeterminismTest : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void tableOfAResult();
    void measuresTheBlock();
    void isStopped();
    void formAsks();
    void everyControlHasAName();
};

namespace {

struct Bench {
    std::shared_ptr<run::Backend> backend;
    MainWindow window;
    explicit Bench(std::shared_ptr<run::Backend> with = std::make_shared<host::TwinBackend>())
        : backend(std::move(with))
        , window(sessionWith(backend)) {
        Settings settings = window.document().settings();
        settings.run = smallRun(settings.run);
        window.document().takeSettings(settings);
        window.resize(1280, 800);
        window.show();
        window.showPage(Page::determinism);
    }
    DeterminismSide& side() { return window.document().determinism(); }
    template <class T>
    T* find(const char* name) {
        return window.findChild<T*>(QString::fromLatin1(name));
    }
    QString word() { return find<QLabel>("determinismWord")->text(); }
    void quick() {
        DeterminismSide::Question q;
        q.runs = 6;
        q.pairs = 3;
        side().setQuestion(q);
    }
};

TapOfRuns tapOf(const char* name, std::int64_t varying) {
    TapOfRuns tap;
    tap.name = name;
    TapSpread s;
    s.elements = 8, s.varying = varying, s.variants = varying ? 3 : 1;
    s.maxAbs.value = 1e-6, s.maxUlp = 2;
    tap.spread = s;
    return tap;
}

} // namespace

void DeterminismTest::tableOfAResult() {
    LabResult r;
    SourceResult race;
    race.source = Variation::atomics;
    race.runs.runs = 10;
    race.runs.taps = {tapOf("up", 0), tapOf("down", 5)};
    race.runs.firstVarying = 1, race.runs.equal = 1, race.runs.varying = 1, race.runs.firstRun = 4;
    SourceResult none;
    none.source = Variation::autotune;
    none.notMeasured = "no sum has another order";
    r.sources = {race, none};
    r.fixed = SwitchResult{};
    r.fixed->refused = Error{ErrorCode::unsupported, "x has no ordered variant", "x", "leave it out"};
    QStandardItemModel model;
    determinism_table::fill(model, r);
    QCOMPARE(model.rowCount(), 3);
    const QModelIndex first = model.index(0, 0);
    QCOMPARE(model.index(0, determinism_table::Bits).data().toString(), QStringLiteral("vary"));
    QVERIFY(model.index(0, determinism_table::Remark)
                .data()
                .toString()
                .contains(QStringLiteral("down the first tap")));
    QCOMPARE(model.rowCount(first), 1); // taps with the same bits need no line
    QCOMPARE(model.index(0, determinism_table::Results, first).data().toString(), QStringLiteral("3"));
    QCOMPARE(model.index(1, determinism_table::Bits).data().toString(), QStringLiteral("not measured"));
    QCOMPARE(model.index(2, determinism_table::Bits).data().toString(), QStringLiteral("refused"));
}

void DeterminismTest::measuresTheBlock() {
    Bench b;
    QCOMPARE(b.word(), QString());
    b.quick();
    b.find<QPushButton>("runButton")->click();
    QTRY_VERIFY_WITH_TIMEOUT(b.side().startedCount() == 1 && !b.side().running(), 120000);
    QVERIFY2(!b.side().error(), b.side().error() ? b.side().error()->text().c_str() : "");
    QVERIFY(b.side().result() && b.side().result()->complete);
    const auto varies = b.side().result()->varies();
    QVERIFY(varies);
    QCOMPARE(b.word(), *varies ? QStringLiteral("VARIES") : QStringLiteral("SAME BITS"));
    const auto* table = b.find<QTreeView>("determinismTable")->model();
    QCOMPARE(table->rowCount(), 6); // five sources and the switch
    QCOMPARE(table->index(5, determinism_table::Bits).data().toString(), QStringLiteral("same"));
    QVERIFY(b.find<CostBars>("costBars")->isVisible());
    QVERIFY(b.find<QLabel>("determinismCost")->text().startsWith(QStringLiteral("on/off ")));
    QVERIFY(!b.find<QLabel>("determinismDetail")->text().isEmpty());
    QVERIFY(b.window.windowTitle().startsWith(QStringLiteral("Determinism of mlp")));
}

void DeterminismTest::isStopped() {
    auto slow = std::make_shared<SlowBackend>();
    slow->delayMs = 60000;
    Bench b(slow);
    b.quick();
    b.window.document().rerun();
    QTRY_VERIFY(b.side().running());
    int answered = 0; // the window lives on
    for (int i = 0; i < 5; ++i) QTimer::singleShot(0, &b.window, [&answered] { ++answered; });
    QTRY_COMPARE(answered, 5);
    QTest::keyClick(&b.window, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!b.side().running(), 5000);
    QCOMPARE(b.word(), QStringLiteral("STOPPED"));
}

void DeterminismTest::formAsks() {
    Bench b;
    b.find<QCheckBox>("determinismSource_tf32")->click();
    b.find<QCheckBox>("determinismSource_batch")->click();
    b.find<QSpinBox>("determinismRuns")->setValue(50);
    b.find<QSpinBox>("determinismPairs")->setValue(0);
    const QString line = b.window.determinismPage()->commandLine();
    QVERIFY2(line.startsWith(QStringLiteral("divdet determinism mlp ")), qPrintable(line));
    QVERIFY2(line.endsWith(QStringLiteral(" --runs 50 --pairs 0 --source atomics,autotune,accumulate")),
             qPrintable(line));
    QVERIFY(!line.contains(QStringLiteral("--pass ")));
    b.find<QCheckBox>("determinismPasses")->click();
    QVERIFY(b.window.determinismPage()->commandLine().contains(QStringLiteral("--pass ")));
    // Without any source there is nothing to ask; the last question stays.
    for (const char* name : {"atomics", "autotune", "accumulate"})
        b.find<QCheckBox>(qPrintable(QStringLiteral("determinismSource_") + QLatin1String(name)))->click();
    QCOMPARE(b.side().question().sources, std::vector{Variation::accumulate});
}

void DeterminismTest::everyControlHasAName() {
    Bench b;
    for (const char* name : {"determinismRuns", "determinismPairs"})
        QVERIFY(!b.find<QSpinBox>(name)->accessibleName().isEmpty());
    QVERIFY(!b.find<QTreeView>("determinismTable")->accessibleName().isEmpty());
}

QTEST_MAIN(DeterminismTest)
#include "tst_determinism.moc"
