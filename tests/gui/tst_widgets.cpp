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

/// Relative luminance and contrast ratio as WCAG 2.1 defines them.
double luminance(const QColor& colour) {
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

double contrast(const QColor& one, const QColor& two) {
    const double a = luminance(one);
    const double b = luminance(two);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

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
    void textContrast_data();
    void textContrast();
    void borderContrast();
    void tokensHaveUniqueNames();
    void styleSheetIsComplete();
    void themeChangeReachesPaletteAndLabels();
    void everyPassHasAStyle();
    void iconsTakeTheTokensColour();
    void verdictAndClassIds();
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

void TestWidgets::textContrast_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestWidgets::textContrast() {
    QFETCH(bool, dark);
    std::vector<std::pair<Token, Token>> pairs;
    for (const Token text : {Token::text1, Token::text2, Token::text3})
        for (const Token surface : {Token::window, Token::panel, Token::plot, Token::alt, Token::sunken,
                                    Token::code, Token::selection})
            pairs.push_back({text, surface});
    for (const VerdictTone tone : {VerdictTone::within, VerdictTone::outside, VerdictTone::inconclusive,
                                   VerdictTone::incomparable, VerdictTone::incomplete}) {
        const VerdictLook look = verdictLook(tone);
        for (const Token surface : {look.bg, Token::panel, Token::alt, Token::window, Token::selection})
            pairs.push_back({look.fg, surface});
        for (const Token text : {Token::text1, Token::text2}) pairs.push_back({text, look.bg});
    }
    for (const Token surface : {Token::panel, Token::alt, Token::accentBg})
        pairs.push_back({Token::accent, surface});
    pairs.push_back({Token::text1, Token::accentBg});
    pairs.push_back({Token::onAccent, Token::accent});
    for (const auto& [text, surface] : pairs) {
        const double ratio = contrast(tokenColor(text, dark), tokenColor(surface, dark));
        QVERIFY2(
            ratio >= 4.5,
            qPrintable(QStringLiteral("%1 on %2: %3").arg(tokenName(text), tokenName(surface)).arg(ratio)));
    }
}

void TestWidgets::borderContrast() {
    for (const bool dark : {false, true})
        for (const Token token : {Token::control, Token::withinSolid, Token::outsideSolid, Token::inconSolid,
                                  Token::incompSolid, Token::incplSolid, Token::accent})
            QVERIFY2(contrast(tokenColor(token, dark), tokenColor(Token::panel, dark)) >= 3.0,
                     tokenName(token).data());
}

void TestWidgets::tokensHaveUniqueNames() {
    QStringList names;
    for (const Token token : allTokens()) {
        names << tokenName(token);
        QVERIFY(tokenByName(QString(tokenName(token))) == token);
    }
    QCOMPARE(names.removeDuplicates(), 0);
    QVERIFY(!tokenByName(u"text.9"));
}

void TestWidgets::styleSheetIsComplete() {
    for (const bool dark : {false, true}) {
        const QString sheet = themeStyleSheet(dark, QStringLiteral("/images"));
        QVERIFY(sheet.contains(tokenColor(Token::accent, dark).name()));
        QVERIFY(!sheet.contains(QLatin1Char('@')));
    }
}

void TestWidgets::themeChangeReachesPaletteAndLabels() {
    Label label(QStringLiteral("word"), FontStep::body, Token::text3);
    QSignalSpy changed(&Theme::current(), &Theme::changed);
    Theme::apply(*qApp, ThemeChoice::dark);
    QVERIFY(Theme::current().dark());
    QCOMPARE(changed.size(), 1);
    QCOMPARE(label.palette().color(QPalette::WindowText), tokenColor(Token::text3, true));
    QCOMPARE(qApp->palette().color(QPalette::Window), tokenColor(Token::panel, true));
    Theme::apply(*qApp, ThemeChoice::light);
    QCOMPARE(label.palette().color(QPalette::WindowText), tokenColor(Token::text3, false));
    Theme::apply(*qApp, ThemeChoice::system);
    QVERIFY(!Theme::current().dark()); // offscreen's own palette is light
    QTest::qWait(20);
    QCOMPARE(changed.size(), 3); // following the system does not answer its own changes
    QCOMPARE(themeChoiceFromName(themeChoiceName(ThemeChoice::dark)), ThemeChoice::dark);
    Theme::apply(*qApp, ThemeChoice::light);
}

void TestWidgets::everyPassHasAStyle() {
    QCOMPARE(passStyle("int8").color, Token::passViolet);
    QCOMPARE(passStyle("int8").marker, Marker::diamond);
    QCOMPARE(passStyle("int8", "per token").dash, (QList<qreal>{9, 3, 2, 3}));
    QCOMPARE(passStyle("wrong-accumulator", "fp16").color, Token::passMagenta);
    QCOMPARE(passStyle("wrong-accumulator=bf16").color, Token::passVermilion);
    QVERIFY(passStyle("race").bug && !passStyle("fuse").bug);
    QCOMPARE(passStyle(allTogetherId).width, 2.4);
    QCOMPARE(passStyle("no-such-pass").color, Token::passGrey);
    const QPen pen = passStyle("tf32").pen();
    QCOMPARE(pen.dashPattern().first() * pen.widthF(), 6.0); // 6 px whatever the width
}

void TestWidgets::iconsTakeTheTokensColour() {
    const QStringList names = iconNames();
    QVERIFY(names.size() >= 57);
    for (const QString& name : names) {
        QVERIFY2(iconSource(name, Token::accent).contains(color(Token::accent).name().toLatin1()),
                 qPrintable(name));
        QVERIFY2(!iconSource(name, Token::accent).contains("#000001"), qPrintable(name));
        const QImage image = iconPixmap(name, Token::accent, 16, 2.0).toImage();
        QCOMPARE(image.size(), QSize(32, 32));
        bool inked = false;
        for (int y = 0; y < 32 && !inked; ++y)
            for (int x = 0; x < 32 && !inked; ++x) inked = image.pixelColor(x, y).alpha() > 128;
        QVERIFY2(inked, qPrintable(name));
    }
    QCOMPARE(icon(QStringLiteral("play")).pixmap(QSize(16, 16), 2.0).size(), QSize(32, 32));
    QVERIFY(!appIcon().isNull());
}

void TestWidgets::verdictAndClassIds() {
    QCOMPARE(verdictToneFromId("within"), VerdictTone::within);
    QCOMPARE(verdictToneFromId("incomparable"), VerdictTone::incomparable);
    QCOMPARE(verdictToneFromId("unreadable"), VerdictTone::outside);
    QCOMPARE(verdictWordFromId("unreadable"), "UNREADABLE");
    QCOMPARE(verdictToneFromId("?"), VerdictTone::inconclusive);
    QCOMPARE(classToneFromId("bug"), ClassTone::bug);
    QCOMPARE(classToneFromId(""), ClassTone::none);
}

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
    QVERIFY(head.findChild<QLabel*>()->text() == "PASSES");
}

QTEST_MAIN(TestWidgets)
#include "tst_widgets.moc"
