#include "gui/exports.h"

#include <QFileInfo>
#include <QSaveFile>
#include <exception>

#include "dialogs/file_dialogs.h"
#include "gui/document.h"
#include "plots/plot_widget.h"
#include "report/report_file.h"
#include "session/make_report.h"
#include "session/result_file.h"

namespace divdet {
namespace {

void report(Document& document, const QString& path, const Status& status) {
    Message message;
    const QString name = QFileInfo(path).fileName();
    if (status) {
        message.head = QObject::tr("%1 is saved").arg(name);
        message.text = path;
    } else {
        message.kind = MessageKind::error;
        message.head = QObject::tr("%1 was not saved").arg(name);
        message.text = QString::fromStdString(status.error().text());
    }
    document.post(message);
}

} // namespace

void saveInJob(Document& document, SaveJob& job, const QString& path, std::function<Status()> write) {
    if (job.waiting())
        return report(document, path,
                      Error{ErrorCode::refused, "two files before it are not written yet", path.toStdString(),
                            "save it again when they are"});
    job.request([&document, path, write = std::move(write)](const Progress&) -> std::function<void()> {
        Status status = Done{};
        try {
            status = write();
        } catch (const std::exception& thrown) {
            status = Error{ErrorCode::internal, thrown.what(), path.toStdString(), ""};
        }
        return [&document, path, status] { report(document, path, status); };
    });
}

Status writeFile(const QString& path, const QByteArray& content) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return Error{ErrorCode::io, file.errorString().toStdString(), path.toStdString(),
                     "choose another folder"};
    return Done{};
}

bool canExport(const Document& document) {
    const Judged& judged = document.judged(document.side());
    return judged.judgement() && judged.waiting() == 0;
}

bool canSaveResult(const Document& document) {
    return document.side() == Side::compare && canExport(document);
}

void exportReport(QWidget* parent, Document& document, SaveJob& job) {
    if (!canExport(document)) return;
    file_dialogs::save(
        parent, QObject::tr("Export the report"), QStringLiteral("report.html"),
        QObject::tr("HTML (*.html);;Markdown (*.md);;JSON (*.json)"), [&document, &job](const QString& path) {
            const bool live = document.side() == Side::live;
            const Judged& judged = document.judged(document.side());
            if (!judged.judgement()) return;
            const auto liveResult = document.live().newest();
            const Candidate* candidate = document.files().currentCandidate();
            const auto result = candidate ? candidate->result : nullptr;
            if (live ? !liveResult : !result) return;
            saveInJob(document, job, path,
                      [path, live, liveResult, result, comparison = judged.comparison(),
                       judgement = judged.judgement()]() -> Status {
                          ReportSubject subject = live ? reportSubject(*liveResult, *judgement)
                                                       : reportSubject(*result, *judgement);
                          subject.comparison = comparison;
                          const Report made =
                              live ? reportOf(std::move(subject), "run", liveResult->request.device,
                                              liveResult->seconds)
                                   : reportOf(std::move(subject), "compare", {}, result->seconds);
                          return writeReport(path.toStdString(), made);
                      });
        });
}

void saveResult(QWidget* parent, Document& document, SaveJob& job) {
    if (!canSaveResult(document)) return;
    file_dialogs::save(parent, QObject::tr("Save the result"), QStringLiteral("comparison.divdet"),
                       QObject::tr("Comparisons (*.divdet)"), [&document, &job](const QString& path) {
                           const Candidate* candidate = document.files().currentCandidate();
                           if (!candidate || !candidate->result) return;
                           CompareResult kept = *candidate->result;
                           kept.tolerance = document.settings().compare.tolerance; // as it is shown
                           saveInJob(document, job, path, [path, kept] {
                               return writeResult(path.toStdString(), kept,
                                                  commandLine(kept.request, kept.tolerance));
                           });
                       });
}

void savePlot(QWidget* parent, Document& document, PlotWidget* plot, const QString& suffix) {
    if (!plot) return;
    const QString name = plot->objectName().remove(QStringLiteral("Plot"));
    file_dialogs::save(
        parent, QObject::tr("Save the plot"), name + QLatin1Char('.') + suffix,
        QObject::tr("SVG (*.svg);;PNG (*.png);;CSV (*.csv)"),
        [&document, plot](const QString& path) { report(document, path, plot->exportTo(path)); });
}

void saveText(QWidget* parent, Document& document, const QString& title, const QString& suggestion,
              const QString& text) {
    file_dialogs::save(
        parent, title, suggestion, QObject::tr("CSV (*.csv);;All files (*)"),
        [&document, text](const QString& path) { report(document, path, writeFile(path, text.toUtf8())); });
}

} // namespace divdet
