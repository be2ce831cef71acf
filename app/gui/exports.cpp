#include "gui/exports.h"

#include <QFileInfo>
#include <QSaveFile>

#include "dialogs/file_dialogs.h"
#include "gui/document.h"
#include "plots/plot_widget.h"

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

Status writeFile(const QString& path, const QByteArray& content) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return Error{ErrorCode::io, file.errorString().toStdString(), path.toStdString(),
                     "choose another folder"};
    return Done{};
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
