#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/theme_pass.h"
#include "gui/theme_verdict.h"
#include "gui_test.h"
#include "views/widgets/buttons.h"
#include "views/widgets/chip.h"
#include "views/widgets/drop_zone.h"
#include "views/widgets/flow_layout.h"
#include "views/widgets/flow_legend.h"
#include "views/widgets/label.h"
#include "views/widgets/link_label.h"
#include "views/widgets/message_stack.h"
#include "views/widgets/plot_card.h"
#include "views/widgets/section_head.h"
#include "views/widgets/use_bar.h"
#include "views/widgets/verdict_block.h"
#include <QAction>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <cmath>
#include <limits>

using namespace divdet;

namespace {

VerdictContent sampleVerdict() {
    VerdictContent content;
    content.tone = VerdictTone::within;
    content.cls = ClassTone::drift;
    content.sentence = QStringLiteral("out: all 32,768 elements pass at rtol 1e-2, atol 1e-3.");
    content.use = 0.82;
    content.useText = QStringLiteral("needs rtol 8.2e-3 of 1e-2 on the linked path: 82 % used");
    content.rows = {{"max_abs", "max abs", "9.59e-4", "at [47, 104]"}, {"", "SQNR", "73.2 dB", ""}};
    content.footer = QStringLiteral("Task metric: none. This block has no logits.");
    return content;
}

} // namespace

class TestWidgets : public GuiTest {
    Q_OBJECT
private slots:
    void init() { failOnWarnings(); }
    void useBarScale();
    void verdictBlockShowsItsContent();
    void verdictBlockRowsAndMarkdown();
    void chipsAreReachableWhenClickable();
    void elidedLabelKeepsItsText();
    void flowLayoutWraps();
    void legendGrowsInPlotCard();
    void plotCardSignals();
    void messagesStackUpToThree();
    void messageActions();
    void dropZoneSides();
    void iconButtonsHaveNames();
};

void TestWidgets::useBarScale() {
    QCOMPARE(UseBar::fillOf(1.0), 0.8);
    QCOMPARE(UseBar::fillOf(1.25), 1.0);
    QCOMPARE(UseBar::fillOf(822), 1.0);
    QCOMPARE(UseBar::fillOf(std::numeric_limits<double>::infinity()), 1.0);
    QCOMPARE(UseBar::fillOf(0), 0.0);
    QCOMPARE(UseBar::fillOf(std::numeric_limits<double>::quiet_NaN()), 0.0);
}

void TestWidgets::verdictBlockShowsItsContent() {
    VerdictBlock block;
    QCOMPARE(block.objectName(), "verdictBlock");
    block.setContent(sampleVerdict());
    block.show();
    QCOMPARE(block.findChild<QLabel*>("verdictWord")->text(), "WITHIN");
    QVERIFY(block.accessibleName().startsWith("WITHIN. out: all 32,768"));
    QVERIFY(block.findChild<Chip*>("verdictClass")->isVisible());
    QVERIFY(block.findChild<UseBar*>("verdictUse")->isVisible());

    VerdictContent unknown = sampleVerdict();
    unknown.word = QStringLiteral("STORM");
    unknown.tone = VerdictTone::outside;
    unknown.cls = ClassTone::none;
    unknown.use = std::numeric_limits<double>::quiet_NaN();
    block.setContent(unknown);
    QCOMPARE(block.findChild<QLabel*>("verdictWord")->text(), "STORM");
    QVERIFY(!block.findChild<Chip*>("verdictClass")->isVisible());
    QVERIFY(!block.findChild<UseBar*>("verdictUse")->isVisible());
}

void TestWidgets::verdictBlockRowsAndMarkdown() {
    VerdictBlock block;
    block.setContent(sampleVerdict());
    block.resize(304, block.sizeHint().height());
    block.show();
    QSignalSpy activated(&block, &VerdictBlock::rowActivated);
    const auto labels = block.findChildren<LinkLabel*>();
    QCOMPARE(labels.size(), 2);
    QTest::mouseClick(labels.at(0), Qt::LeftButton);
    QTest::keyClick(labels.at(0), Qt::Key_Return);
    QTest::mouseClick(labels.at(1), Qt::LeftButton); // leads nowhere
    QCOMPARE(activated.size(), 2);
    QCOMPARE(activated.first().first().toString(), "max_abs");
    QCOMPARE(labels.at(1)->focusPolicy(), Qt::NoFocus);

    block.setMaximumRows(1);
    QVERIFY(labels.at(0)->isVisible() && !labels.at(1)->isVisible());
    block.copyAction()->trigger();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith("## WITHIN · drift\n\nout: all 32,768"));
    QVERIFY(text.contains("| max abs | 9.59e-4 | at [47, 104] |\n"));
    QVERIFY(text.contains("| SQNR | 73.2 dB |  |\n")); // hidden rows are copied too
    block.setProgress(0.5);
    QCOMPARE(block.progress(), 0.5);
    block.grab();
}

void TestWidgets::chipsAreReachableWhenClickable() {
    Chip chip(ChipLook::plain("up"));
    QCOMPARE(chip.focusPolicy(), Qt::NoFocus);
    chip.setClickable(true);
    QCOMPARE(chip.focusPolicy(), Qt::StrongFocus);
    QCOMPARE(chip.accessibleName(), "up");
    QSignalSpy clicked(&chip, &Chip::clicked);
    chip.show();
    QTest::keyClick(&chip, Qt::Key_Space);
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(ChipLook::ofVerdict(VerdictTone::outside).text, "OUTSIDE");
    QVERIFY(chipSize(ChipLook::ofClass(ClassTone::bug)).width() > chipSize(ChipLook::plain("bug")).width());
}

void TestWidgets::elidedLabelKeepsItsText() {
    ElidedLabel label(QStringLiteral("frontier: every (rtol, atol) that just passes"));
    label.resize(80, 20);
    label.show();
    QVERIFY(label.elided());
    QCOMPARE(label.toolTip(), label.text());
    QVERIFY(label.minimumSizeHint().width() < 30);
    label.resize(label.sizeHint());
    QVERIFY(!label.elided() && label.toolTip().isEmpty());
}

void TestWidgets::flowLayoutWraps() {
    QWidget box;
    auto* flow = new FlowLayout(&box, 10, 5);
    for (int i = 0; i < 3; ++i) {
        auto* child = new QWidget(&box);
        child->setFixedSize(50, 20);
        flow->addWidget(child);
        child->show();
    }
    QCOMPARE(flow->heightForWidth(170), 20);
    QCOMPARE(flow->heightForWidth(169), 45);
    QCOMPARE(flow->heightForWidth(60), 70);
    QCOMPARE(flow->sizeHint(), QSize(170, 20));
    flow->itemAt(0)->widget()->hide();
    QCOMPARE(flow->heightForWidth(110), 20);
}

void TestWidgets::legendGrowsInPlotCard() {
    PlotCard card("faults", "Faults");
    card.setContent(new QWidget);
    card.legend()->setItems({{"passes", Swatch::filled(Token::withinBg)},
                             {"window for the bf16 bug", Swatch::hatched(Token::inconSolid, Token::inconBg)},
                             {"linked path", Swatch::lined(Token::axis, {2, 4}, 1.2)},
                             {"int8", Swatch::ofPass("int8")}});
    card.resize(700, 300);
    card.show();
    const int oneRow = card.legend()->height();
    card.resize(220, 300);
    QTRY_VERIFY(card.legend()->height() > oneRow);
    card.legend()->setItems({});
    QVERIFY(!card.legend()->isVisible());
}

void TestWidgets::plotCardSignals() {
    PlotCard card("tolerance", "Tolerance");
    QCOMPARE(card.objectName(), "plotCard_tolerance");
    QCOMPARE(card.accessibleName(), "Tolerance");
    QCOMPARE(card.minimumSizeHint(), QSize(160, 110));
    card.resize(400, 300);
    card.show();
    QSignalSpy solo(&card, &PlotCard::soloRequested);
    QSignalSpy reset(&card, &PlotCard::zoomResetRequested);
    QSignalSpy copy(&card, &PlotCard::copyImageRequested);
    QTest::mouseDClick(card.findChild<QWidget*>("plotHead"), Qt::LeftButton, {}, QPoint(120, 13));
    QTest::mouseClick(card.findChild<QToolButton*>("resetZoomButton"), Qt::LeftButton);
    QTest::mouseClick(card.findChild<QToolButton*>("copyImageButton"), Qt::LeftButton);
    QCOMPARE(solo.size(), 1);
    QCOMPARE(reset.size(), 1);
    QCOMPARE(copy.size(), 1);
}

void TestWidgets::messagesStackUpToThree() {
    MessageStack stack;
    QVERIFY(stack.isHidden());
    QList<quint64> ids;
    for (int i = 1; i <= 5; ++i)
        ids << stack.post({MessageKind::warning, QStringLiteral("head %1").arg(i), "text"});
    stack.resize(800, stack.sizeHint().height());
    stack.show();
    QCOMPARE(stack.count(), 5);
    QCOMPARE(stack.findChild<MessageBar*>("messageBar_1")->message().head, "head 5"); // newest on top
    QVERIFY(stack.findChild<MessageBar*>("messageBar_3")->isVisible());
    QVERIFY(!stack.findChild<MessageBar*>("messageBar_4")->isVisible());
    bool said = false;
    for (const ElidedLabel* label : stack.findChildren<ElidedLabel*>()) said |= label->text() == "and 2 more";
    QVERIFY(said);
    stack.post({MessageKind::warning, "head 5", "again"}); // replaces its like
    QCOMPARE(stack.count(), 5);
    stack.close(ids.at(0));
    QCOMPARE(stack.count(), 4);
    QVERIFY(stack.focusNewest());
    stack.clear();
    QVERIFY(stack.isHidden());
    QVERIFY(!stack.focusNewest());
}

void TestWidgets::messageActions() {
    MessageStack stack;
    int used = 0;
    int copied = 0;
    stack.post({MessageKind::error,
                "rank0.safetensors is cut short",
                "14 taps are unreadable",
                {{"Use the 187 taps", [&] { ++used; }}},
                {"Copy details", [&] { ++copied; }}});
    stack.resize(800, 44);
    stack.show();
    const auto buttons = stack.findChild<MessageBar*>("messageBar_1")->findChildren<QPushButton*>();
    QCOMPARE(buttons.size(), 2);
    buttons.at(1)->click();
    QCOMPARE(copied, 1);
    QCOMPARE(stack.count(), 1); // copying leaves it open
    buttons.at(0)->click();
    QCOMPARE(used, 1);
    QCOMPARE(stack.count(), 0);
}

void TestWidgets::dropZoneSides() {
    DropZone zone;
    zone.resize(400, 200);
    zone.show();
    QSignalSpy dropped(&zone, &DropZone::dropped);
    QMimeData one;
    one.setUrls({QUrl::fromLocalFile("/data/a.npz")});
    QDragEnterEvent enter(QPoint(300, 50), Qt::CopyAction, &one, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&zone, &enter);
    QVERIFY(enter.isAccepted());
    zone.grab();
    QDropEvent drop(QPointF(300, 50), Qt::CopyAction, &one, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&zone, &drop);
    QCOMPARE(dropped.size(), 1);
    QCOMPARE(dropped.first().at(0).toStringList(), QStringList{"/data/a.npz"});
    QCOMPARE(dropped.first().at(1).value<DropSide>(), DropSide::candidate);
    QMimeData text;
    text.setText("words");
    QDragEnterEvent words(QPoint(300, 50), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
    words.ignore();
    QApplication::sendEvent(&zone, &words);
    QVERIFY(!words.isAccepted());
}

void TestWidgets::iconButtonsHaveNames() {
    PlotCard card("map", "Map");
    MessageStack stack;
    stack.post({MessageKind::info, "head", "text"});
    for (const QWidget* root : {static_cast<QWidget*>(&card), static_cast<QWidget*>(&stack)})
        for (const QToolButton* button : root->findChildren<QToolButton*>()) {
            QVERIFY(!button->accessibleName().isEmpty());
            QVERIFY(button->focusPolicy() & Qt::TabFocus);
        }
    SectionHead head("Passes");
    QVERIFY(head.findChild<ElidedLabel*>()->text() == "PASSES");
}

QTEST_MAIN(TestWidgets)
#include "tst_widgets.moc"
