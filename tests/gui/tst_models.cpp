#include "gui_test.h"
#include "models/pass_model.h"
#include "models/taps_delegate.h"
#include "models/taps_filter.h"
#include "models/taps_model.h"
#include "plot_samples.h"
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>

using namespace divdet;

namespace {

std::shared_ptr<const Judgement> judged(const Comparison& c, double rtol, double atol) {
    return std::make_shared<Judgement>(judge(c, {Rule::allclose, rtol, atol}));
}

std::vector<lower::PassInfo> passes() {
    using lower::PassKind, lower::Stage;
    return {{"reassociate",
             PassKind::drift,
             Stage::lower,
             "Fusion reassociation",
             "Another order",
             {"pairwise", "splitk:8"}},
            {"tf32", PassKind::drift, Stage::lower, "TF32", "Rounded operands", {"rne"}},
            {"int8", PassKind::drift, Stage::lower, "INT8", "Quantised", {"per-token"}},
            {"double-scale", PassKind::bug, Stage::decompose, "Double scale", "Scaled twice", {}},
            {"wrong-accumulator",
             PassKind::bug,
             Stage::lower,
             "Wrong accumulator",
             "Rounded sum",
             {"bf16", "fp16"}}};
}

} // namespace

class TestModels : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void tapsShowNumbers();
    void sliderMoveChangesTwoColumns();
    void partialSnapshotsKeepRows();
    void filterAndOnlyBad();
    void sortAndDepthOrder();
    void nanSortsLast();
    void classColumn();
    void pendingClassesAreNotShown();
    void delegatePaintsEveryColumn();
    void passesInTwoGroups();
    void checkingAPass();
    void unfitPassCannotBeOn();
    void needsOfPassesThatAreOn();
};

void TestModels::tapsShowNumbers() {
    TapsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    const auto c = samples::comparisonOf({{"x"}, {"up", 1e-3, 1e-3, 1, 4096, false}, {"out", 1e-3, 0}});
    model.setData(c, judged(*c, 1e-3, 1e-4));
    QCOMPARE(model.rowCount(), 3);
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(text(0, TapsModel::Number), QString("1"));
    QCOMPARE(text(2, TapsModel::Tap), QString("out"));
    QCOMPARE(text(1, TapsModel::ShapeColumn), QStringLiteral("64 × 64"));
    QCOMPARE(text(0, TapsModel::MaxAbs), QString("0"));
    QCOMPARE(text(0, TapsModel::VerdictColumn), QString("WITHIN"));
    QCOMPARE(text(1, TapsModel::VerdictColumn), QString("over"));
    QCOMPARE(text(2, TapsModel::VerdictColumn), QString("OUTSIDE"));
    QVERIFY(text(2, TapsModel::OverTol).startsWith(QStringLiteral("≈ ")));
    const auto exact = judged(*c, 1e-2, 1e-3); // the tolerance of the scan
    model.setJudgement(exact);
    QVERIFY(!text(2, TapsModel::OverTol).contains(QStringLiteral("≈")));
    QVERIFY(model.index(1, TapsModel::MaxAbs).data(TapsModel::BarRole).isValid());
    QVERIFY(!model.index(0, TapsModel::MaxAbs).data(TapsModel::BarRole).isValid());
    QCOMPARE(model.index(2, TapsModel::MaxAbs).data(TapsModel::CopyRole).toString().toDouble(),
             c->pairs[2].summary->maxAbs.value);
    QCOMPARE(model.headerData(TapsModel::OverTol, Qt::Horizontal, Qt::DisplayRole).toString(),
             QString("over tol."));
    model.setData(nullptr, nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void TestModels::sliderMoveChangesTwoColumns() {
    TapsModel model;
    const auto c = samples::comparisonOf({{"x"}, {"out", 1e-3, 0}});
    model.setData(c, judged(*c, 1e-2, 1e-3));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged),
        reset(&model, &QAbstractItemModel::modelReset);
    model.setJudgement(judged(*c, 1e-5, 1e-8));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(reset.count(), 0);
    QCOMPARE(changed[0][0].toModelIndex().column(), int(TapsModel::OverTol));
    QCOMPARE(changed[0][1].toModelIndex().column(), int(TapsModel::VerdictColumn));
    QCOMPARE(int(TapsModel::VerdictColumn) - int(TapsModel::OverTol), 1);
}

void TestModels::partialSnapshotsKeepRows() {
    TapsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto full = samples::comparisonOf({{"a", 1e-3, 0}, {"b", 1e-3, 0}});
    auto partial = std::make_shared<Comparison>(*full);
    partial->pairs[1].summary.reset();
    model.setData(partial, judged(*partial, 1e-5, 1e-8));
    QVERIFY(model.index(1, 0).data(TapsModel::PendingRole).toBool());
    QCOMPARE(model.index(1, TapsModel::VerdictColumn).data().toString(), QStringLiteral("–"));
    QCOMPARE(model.index(1, TapsModel::MaxAbs).data().toString(), QStringLiteral("–"));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setData(full, judged(*full, 1e-5, 1e-8));
    QCOMPARE(reset.count(), 0);
    QCOMPARE(model.index(1, TapsModel::VerdictColumn).data().toString(), QString("OUTSIDE"));
}

void TestModels::filterAndOnlyBad() {
    TapsModel model;
    TapsFilter filter;
    filter.setSourceModel(&model);
    QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto c = samples::comparisonOf({{"L0.up", 1e-3, 0}, {"L0.norm"}, {"L1.up"}});
    model.setData(c, judged(*c, 1e-5, 1e-8));
    filter.setText("UP");
    QCOMPARE(filter.rowCount(), 2);
    filter.setOnlyBad(true);
    QCOMPARE(filter.rowCount(), 1);
    filter.setText({});
    QCOMPARE(filter.rowCount(), 1);
    model.setJudgement(judged(*c, 1e-2, 1e-2));
    QTRY_COMPARE(filter.rowCount(), 0); // what passes now is not bad any more
}

void TestModels::sortAndDepthOrder() {
    TapsModel model;
    TapsFilter filter;
    filter.setSourceModel(&model);
    const auto c = samples::comparisonOf({{"a", 1e-3, 0}, {"b", 1e-5, 0}, {"c", 1e-2, 0}});
    model.setData(c, judged(*c, 1e-2, 1e-3));
    QTableView view;
    view.setModel(&filter);
    TapsFilter::setUpHeader(&view);
    view.resize(900, 200);
    view.show();
    const auto order = [&] {
        QString out;
        for (int i = 0; i < filter.rowCount(); ++i) out += filter.index(i, TapsModel::Tap).data().toString();
        return out;
    };
    QCOMPARE(order(), QString("abc"));
    QHeaderView* header = view.horizontalHeader();
    const QPoint place(header->sectionViewportPosition(TapsModel::MaxAbs) + 20, 8);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(order(), QString("bac"));
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(order(), QString("cab"));
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(order(), QString("abc"));
}

void TestModels::nanSortsLast() {
    TapsModel model;
    TapsFilter filter;
    filter.setSourceModel(&model);
    auto c = std::make_shared<Comparison>(
        *samples::comparisonOf({{"a", 1e-3, 0}, {"b", 1e-5, 0}, {"c", 1e-2, 0}}));
    c->pairs[1].summary.reset();
    model.setData(c, judged(*c, 1e-2, 1e-3));
    for (Qt::SortOrder direction : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        filter.sort(TapsModel::MaxAbs, direction);
        QCOMPARE(filter.index(2, TapsModel::Tap).data().toString(), QString("b"));
    }
}

void TestModels::classColumn() {
    TapsModel model;
    TapsFilter filter;
    filter.setSourceModel(&model);
    auto c = std::make_shared<Comparison>(*samples::comparisonOf({{"a"}, {"b", 1e-6, 0}, {"c", 1e-6, 0}}));
    const PairClass classes[] = {PairClass::identical, PairClass::bug, PairClass::inherited};
    for (std::size_t i = 0; i < 3; ++i) c->pairs[i].pairClass = classes[i];
    c->pairs[1].bound = BoundScore{1024, 12, 40, 3};
    c->pairs[1].zRms = 12.5;
    c->pairs[2].bound = BoundScore{1024, 0, 0.25, 0.1};
    model.setData(c, judged(*c, 1e-2, 1e-3));
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(text(0, TapsModel::ClassColumn), QString("identical"));
    QCOMPARE(text(1, TapsModel::ClassColumn), QString("bug"));
    QCOMPARE(text(0, TapsModel::Bound), QStringLiteral("–"));
    QCOMPARE(text(1, TapsModel::Bound), QString("12/1,024 beyond"));
    QCOMPARE(text(2, TapsModel::Bound), QString("0.250"));
    QCOMPARE(text(1, TapsModel::ZRms), QString("12.5"));
    QCOMPARE(text(2, TapsModel::ZRms), QStringLiteral("–"));
    QVERIFY(model.index(1, TapsModel::Tap).data(TapsModel::FirstFaultRole).toBool());
    QVERIFY(!model.index(2, TapsModel::Tap).data(TapsModel::FirstFaultRole).toBool());
    for (int column : {TapsModel::ClassColumn, TapsModel::Bound, TapsModel::ZRms})
        QVERIFY(model.index(1, column).data(Qt::ToolTipRole).toString().size() > 20);
    const auto order = [&] {
        QString out;
        for (int i = 0; i < filter.rowCount(); ++i) out += filter.index(i, TapsModel::Tap).data().toString();
        return out;
    };
    filter.sort(TapsModel::ClassColumn, Qt::DescendingOrder);
    QCOMPARE(order(), QString("bca"));
    filter.sort(TapsModel::Bound, Qt::DescendingOrder);
    QCOMPARE(order(), QString("bca")); // what has none comes last
    filter.sort(TapsModel::Bound, Qt::AscendingOrder);
    QCOMPARE(order(), QString("cba"));
    filter.setText("inher");
    QCOMPARE(order(), QString("c"));
    filter.setText({});
    filter.setOnlyBad(true); // every element passes, and yet it is a bug
    QCOMPARE(order(), QString("b"));
}

void TestModels::pendingClassesAreNotShown() {
    TapsModel model;
    auto c = std::make_shared<Comparison>(*samples::comparisonOf({{"a", 1e-6, 0}}));
    c->pairs[0].pairClass = PairClass::unclear;
    model.setData(c, judged(*c, 1e-2, 1e-3), true);
    QCOMPARE(model.index(0, TapsModel::ClassColumn).data().toString(), QStringLiteral("–"));
    QVERIFY(!model.index(0, 0).data(TapsModel::FirstFaultRole).toBool());
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setData(c, judged(*c, 1e-2, 1e-3));
    QCOMPARE(reset.count(), 0);
    QCOMPARE(model.index(0, TapsModel::ClassColumn).data().toString(), QString("unclear"));
}

void TestModels::delegatePaintsEveryColumn() {
    TapsModel model;
    const auto c = samples::comparisonOf({{"x"}, {"out", 1e-3, 0}});
    model.setData(c, judged(*c, 1e-5, 1e-8));
    TapsDelegate delegate;
    QImage image(100, 24, QImage::Format_ARGB32);
    for (int column = 0; column < TapsModel::ColumnCount; ++column) {
        image.fill(Qt::transparent);
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.rect = image.rect();
        delegate.paint(&painter, option, model.index(1, column));
        painter.end();
        QImage blank(image.size(), image.format());
        blank.fill(Qt::transparent);
        QVERIFY2(image != blank, qPrintable(QString::number(column)));
        QCOMPARE(delegate.sizeHint(option, model.index(1, column)).height(), 24);
    }
}

void TestModels::passesInTwoGroups() {
    PassModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPasses(passes());
    QCOMPARE(model.rowCount(), 2);
    const QModelIndex drift = model.index(0, 0), bugs = model.index(1, 0);
    QCOMPARE(model.rowCount(drift), 3);
    QCOMPARE(model.rowCount(bugs), 2);
    model.setChoices({{"tf32", "rne", {}}, {"reassociate", "splitk:8", {}}});
    QCOMPARE(drift.siblingAtColumn(PassModel::Variant).data().toString(), QString("2 of 3 on"));
    const QModelIndex row = model.indexOf("reassociate");
    QCOMPARE(row.data(Qt::CheckStateRole).value<Qt::CheckState>(), Qt::Checked);
    QCOMPARE(row.siblingAtColumn(PassModel::Variant).data().toString(), QString("split-K 8"));
    QCOMPARE(row.data(PassModel::VariantsRole).toStringList().size(), 2);
    QVERIFY(!model.indexOf("nothing").isValid());
    QCOMPARE(model.choices().size(), std::size_t(2));
    model.setPasses(passes()); // another block: what is on stays on
    QCOMPARE(model.choices().size(), std::size_t(2));
}

void TestModels::checkingAPass() {
    PassModel model;
    model.setPasses(passes());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy toggled(&model, &PassModel::passToggled), variant(&model, &PassModel::variantChosen);
    const QModelIndex row = model.indexOf("wrong-accumulator");
    QVERIFY(model.setData(row, Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(toggled.count(), 1);
    QCOMPARE(toggled[0][0].toString(), QString("wrong-accumulator"));
    QVERIFY(toggled[0][1].toBool());
    QVERIFY(model.setData(row, "fp16", PassModel::VariantRole));
    QCOMPARE(variant.count(), 1);
    QCOMPARE(model.choices().front().variant, std::string("fp16"));
    model.setChoices({});
    QCOMPARE(toggled.count(), 1); // settings tell the model; only the user toggles
    QVERIFY(model.choices().empty());
}

void TestModels::unfitPassCannotBeOn() {
    PassModel model;
    model.setPasses(passes(), {{"double-scale", "no such op"}});
    const QModelIndex row = model.indexOf("double-scale");
    QVERIFY(!(row.flags() & Qt::ItemIsEnabled));
    QVERIFY(!model.setData(row, Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(row.siblingAtColumn(PassModel::Variant).data().toString(), QString("no such op"));
    QVERIFY(!row.data(PassModel::FitsRole).toBool());
}

void TestModels::needsOfPassesThatAreOn() {
    PassModel model;
    model.setPasses(passes());
    const auto live = samples::liveOf(false);
    model.setChoices(live->request.passes);
    model.setLive(live);
    const double needs = model.indexOf("int8").data(PassModel::NeedsRtolRole).toDouble();
    QCOMPARE(needs, neededRtolLinked(*live->alone[2].comparison, {}));
    QVERIFY(std::isnan(
        model.indexOf("wrong-accumulator").data(PassModel::NeedsRtolRole).toDouble())); // a landmark only
    QVERIFY(!model.indexOf("int8").siblingAtColumn(PassModel::Needs).data().toString().isEmpty());
}

QTEST_MAIN(TestModels)
#include "tst_models.moc"
