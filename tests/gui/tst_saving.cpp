// Files are written by a job, and exact counts are read by one: whatever goes wrong there is said.
#include <QSemaphore>
#include <QSignalSpy>
#include <stdexcept>

#include "gui/document.h"
#include "gui/exports.h"
#include "gui/recounter.h"
#include "gui_test.h"
#include "workbench.h"

using namespace divdet;

class TestSaving : public GuiTest {
    Q_OBJECT
private slots:
    void whatIsWrittenIsSaid();
    void whatCannotBeWrittenIsSaid();
    void whatThrowsIsSaidWithTheFile();
    void aThirdFileDoesNotDropTheSecond();
    void anExceptionWhileCountingIsSaidWithTheTap();
    void theDocumentTellsOfFailedCounts();
};

namespace {

/// Messages of a document, as the window would show them.
struct Told {
    QStringList heads, texts;
    QList<MessageKind> kinds;

    explicit Told(Document& document) {
        QObject::connect(&document, &Document::messagePosted, &document, [this](const Message& m) {
            heads << m.head;
            texts << m.text;
            kinds << m.kind;
        });
    }
};

} // namespace

void TestSaving::whatIsWrittenIsSaid() {
    Document document(twinSession());
    Told told(document);
    SaveJob job(this, [](const std::function<void()>& tell) { tell(); });
    saveInJob(document, job, QStringLiteral("/a/report.html"), [] { return Status(Done{}); });
    QTRY_COMPARE(told.heads, QStringList{QStringLiteral("report.html is saved")});
    QCOMPARE(told.kinds.first(), MessageKind::info);
}

void TestSaving::whatCannotBeWrittenIsSaid() {
    Document document(twinSession());
    Told told(document);
    SaveJob job(this, [](const std::function<void()>& tell) { tell(); });
    saveInJob(document, job, QStringLiteral("/a/report.html"), [] {
        return Status(Error{ErrorCode::io, "the disk is full", "", ""});
    });
    QTRY_COMPARE(told.heads, QStringList{QStringLiteral("report.html was not saved")});
    QVERIFY(told.texts.first().contains(QStringLiteral("the disk is full")));
    QCOMPARE(told.kinds.first(), MessageKind::error);
}

void TestSaving::whatThrowsIsSaidWithTheFile() {
    Document document(twinSession());
    Told told(document);
    SaveJob job(this, [](const std::function<void()>& tell) { tell(); });
    saveInJob(document, job, QStringLiteral("/a/result.divdet"),
              []() -> Status { throw std::runtime_error("invalid UTF-8 byte"); });
    QTRY_COMPARE(told.heads, QStringList{QStringLiteral("result.divdet was not saved")});
    QVERIFY(told.texts.first().contains(QStringLiteral("invalid UTF-8 byte")));
    QVERIFY(told.texts.first().contains(QStringLiteral("/a/result.divdet")));
    QCOMPARE(told.kinds.first(), MessageKind::error);
    QTRY_VERIFY(!job.running());
}

void TestSaving::aThirdFileDoesNotDropTheSecond() {
    Document document(twinSession());
    Told told(document);
    SaveJob job(this, [](const std::function<void()>& tell) { tell(); });
    QSemaphore go;
    const auto write = [&go] {
        go.acquire();
        return Status(Done{});
    };
    for (const char* name : {"one", "two", "three"}) saveInJob(document, job, QLatin1String(name), write);
    QCOMPARE(told.heads, QStringList{QStringLiteral("three was not saved")});
    go.release(3);
    QTRY_COMPARE(told.heads.size(), 3);
    QCOMPARE(told.heads.mid(1),
             (QStringList{QStringLiteral("one is saved"), QStringLiteral("two is saved")}));
}

void TestSaving::anExceptionWhileCountingIsSaidWithTheTap() {
    auto comparison = std::make_shared<Comparison>();
    const float numbers[] = {1, 2, 3};
    const Tensor t = tensorOf<float>(DType::f32, {3}, std::span(numbers));
    for (const char* name : {"good", "broken"}) {
        TapPair pair;
        pair.name = name;
        pair.load = [t, broken = std::string(name) == "broken"]() -> Result<PairData> {
            if (broken) throw std::runtime_error("the file is gone");
            return PairData{t, t, {}, {}};
        };
        comparison->pairs.push_back(std::move(pair));
    }
    Recounter recounter;
    QStringList said;
    std::vector<std::size_t> counted;
    connect(&recounter, &Recounter::failed, this, [&](const QString& message) { said << message; });
    connect(&recounter, &Recounter::counted, this,
            [&](const std::shared_ptr<const Comparison>&, const Recounter::Counts& counts) {
                for (const auto& c : counts) counted.push_back(c.pair);
            });
    recounter.start(comparison, {0, 1}, Tolerance{});
    QTRY_COMPARE(said, QStringList{QStringLiteral("broken: the file is gone")});
    QCOMPARE(counted, std::vector<std::size_t>{0}); // what was read before stays
    QTRY_VERIFY(!recounter.running());
}

void TestSaving::theDocumentTellsOfFailedCounts() {
    Document document(twinSession());
    Told told(document);
    auto* recounter = document.findChild<Recounter*>();
    QVERIFY(recounter);
    emit recounter->failed(QStringLiteral("y: the file is gone"));
    QCOMPARE(told.texts, QStringList{QStringLiteral("y: the file is gone")});
    QCOMPARE(told.kinds.first(), MessageKind::error);
    QVERIFY(!told.heads.first().isEmpty());
}

QTEST_MAIN(TestSaving)
#include "tst_saving.moc"
