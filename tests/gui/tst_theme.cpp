#include <QSignalSpy>
#include <cmath>

#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/theme_pass.h"
#include "gui/theme_verdict.h"
#include "gui_test.h"
#include "views/widgets/label.h"
#include "views/widgets/verdict_block.h"

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

} // namespace

/// Tokens, style sheet, icons and the looks of passes and verdicts, in both themes.
class TestTheme : public GuiTest {
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
};

void TestTheme::textContrast_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestTheme::textContrast() {
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

void TestTheme::borderContrast() {
    for (const bool dark : {false, true})
        for (const Token token : {Token::control, Token::withinSolid, Token::outsideSolid, Token::inconSolid,
                                  Token::incompSolid, Token::incplSolid, Token::accent})
            QVERIFY2(contrast(tokenColor(token, dark), tokenColor(Token::panel, dark)) >= 3.0,
                     tokenName(token).data());
}

void TestTheme::tokensHaveUniqueNames() {
    QStringList names;
    for (const Token token : allTokens()) {
        names << tokenName(token);
        QVERIFY(tokenByName(QString(tokenName(token))) == token);
    }
    QCOMPARE(names.removeDuplicates(), 0);
    QVERIFY(!tokenByName(u"text.9"));
}

void TestTheme::styleSheetIsComplete() {
    for (const bool dark : {false, true}) {
        const QString sheet = themeStyleSheet(dark, QStringLiteral("/images"));
        QVERIFY(sheet.contains(tokenColor(Token::accent, dark).name()));
        QVERIFY(!sheet.contains(QLatin1Char('@')));
    }
}

void TestTheme::themeChangeReachesPaletteAndLabels() {
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

void TestTheme::everyPassHasAStyle() {
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

void TestTheme::iconsTakeTheTokensColour() {
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

void TestTheme::verdictAndClassIds() {
    QCOMPARE(verdictToneFromId("within"), VerdictTone::within);
    QCOMPARE(verdictToneFromId("incomparable"), VerdictTone::incomparable);
    QCOMPARE(verdictToneFromId("unreadable"), VerdictTone::outside);
    QCOMPARE(verdictWordFromId("unreadable"), "UNREADABLE");
    QCOMPARE(verdictToneFromId("?"), VerdictTone::inconclusive);
    QCOMPARE(classToneFromId("bug"), ClassTone::bug);
    QCOMPARE(classToneFromId(""), ClassTone::none);
}

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
