#include "workbench.h"

#include <QImage>

#include "gui/main_window.h"
#include "gui/screenshot.h"

using namespace divdet;

/// Pictures of all pages, and of a bug, at two sizes and in both themes; they stay in `pictures` beside the
/// build for whoever changes a view.
class ScreenshotTest : public GuiTest {
    Q_OBJECT
private slots:
    void pages_data();
    void pages();
    void unwritable();
};

void ScreenshotTest::pages_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("dark");
    for (const char* page : {"live", "compare", "bug", "advisor", "taps", "tapfiles"})
        for (const QSize size : {QSize(1440, 900), QSize(1024, 640)})
            for (const bool dark : {false, true})
                QTest::addRow("%s-%dx%d-%s", page, size.width(), size.height(), dark ? "dark" : "light")
                    << QString::fromLatin1(page) << size << dark;
}

void ScreenshotTest::pages() {
    QFETCH(QString, page);
    QFETCH(QSize, size);
    QFETCH(bool, dark);
    Theme::apply(*qApp, dark ? ThemeChoice::dark : ThemeChoice::light);
    QTemporaryDir files;
    MainWindow window(twinSession());
    Options options;
    if (page == QLatin1String("bug")) { // what the judge says of it
        RunSettings run = window.document().settings().run;
        run.passes = {*lower::parsePass("wrong-accumulator=bf16")};
        window.document().setRun(run, {});
        options.plots = QStringList{QStringLiteral("depth"), QStringLiteral("scatter")};
        options.tap = QStringLiteral("up");
        options.element = QStringLiteral("3, 7");
    }
    if (page.startsWith(QLatin1String("tap"))) // how errors are spread and where they lie
        options.plots = QStringList{QStringLiteral("histogram"), QStringLiteral("map")};
    if (page == QLatin1String("advisor")) { // a tolerance that is blind
        options.page = Page::advisor;
        options.advise.sizes = {{"m", 16}, {"n", 16}, {"k", 128}};
        options.advise.dtype = "bf16";
        options.advise.rtol = options.advise.atol = 0.1;
    }
    window.document().start();
    if (page == QLatin1String("compare") || page == QLatin1String("tapfiles"))
        options.files = {writeDump(files.path(), QStringLiteral("reference.npz"), 0),
                         writeDump(files.path(), QStringLiteral("good.npz"), 0),
                         writeDump(files.path(), QStringLiteral("bad.npz"), 0.5f)};
    window.takeOptions(options);
    QDir().mkpath(QStringLiteral("pictures"));
    const QString path = QStringLiteral("pictures/%1.png").arg(QString::fromLatin1(QTest::currentDataTag()));
    const Status taken = takeScreenshot(window, path, size);
    QVERIFY2(taken, taken ? "" : taken.error().text().c_str());
    const QImage image(path);
    QCOMPARE(image.size(), size);
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 7)
        for (int x = 0; x < image.width(); x += 7) colours.insert(image.pixel(x, y));
    QVERIFY2(colours.size() > 20, "the picture is nearly empty");
    QCOMPARE(image.pixelColor(2, size.height() - 2).lightness() < 128, dark);
}

void ScreenshotTest::unwritable() {
    MainWindow window(twinSession());
    window.document().setRun(smallRun(window.document().settings().run), {});
    window.document().start();
    const Status taken = takeScreenshot(window, QStringLiteral("no/such/folder/x.png"), QSize(1024, 640));
    QVERIFY(!taken);
    QVERIFY(taken.error().code == ErrorCode::io);
}

QTEST_MAIN(ScreenshotTest)
#include "tst_screenshot.moc"
