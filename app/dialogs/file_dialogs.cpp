#include "dialogs/file_dialogs.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <optional>

namespace divdet::file_dialogs {
namespace {

std::optional<QStringList>& nextAnswer() {
    static std::optional<QStringList> answer;
    return answer;
}

QString lastFolder() {
    return QSettings().value(QStringLiteral("files/folder")).toString();
}

QFileDialog* make(QWidget* parent, const QString& title, const QString& filter) {
    auto* dialog = new QFileDialog(parent, title, lastFolder(), filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowModality(Qt::WindowModal);
    return dialog;
}

void remember(const QString& path) {
    QSettings().setValue(QStringLiteral("files/folder"), QFileInfo(path).absolutePath());
}

} // namespace

void answerNext(const QStringList& paths) {
    nextAnswer() = paths;
}

void open(QWidget* parent, const QString& title, bool several, std::function<void(const QStringList&)> done) {
    if (auto answer = std::exchange(nextAnswer(), std::nullopt)) {
        done(*answer);
        return;
    }
    QFileDialog* dialog =
        make(parent, title,
             QStringLiteral("Dumps (*.npy *.npz *.safetensors *.pt *.pth *.bin *.pb *.onnx *.json);;"
                            "Saved comparisons (*.divdet);;"
                            "All files (*)"));
    dialog->setFileMode(several ? QFileDialog::ExistingFiles : QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::filesSelected, parent, [done](const QStringList& paths) {
        if (paths.isEmpty()) return;
        remember(paths.first());
        done(paths);
    });
    dialog->open();
}

void save(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter,
          std::function<void(const QString&)> done) {
    if (auto answer = std::exchange(nextAnswer(), std::nullopt)) {
        if (!answer->isEmpty()) done(answer->first());
        return;
    }
    QFileDialog* dialog = make(parent, title, filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->selectFile(suggestion);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [done](const QString& path) {
        remember(path);
        done(path);
    });
    dialog->open();
}

void folder(QWidget* parent, const QString& title, std::function<void(const QString&)> done) {
    if (auto answer = std::exchange(nextAnswer(), std::nullopt)) {
        if (!answer->isEmpty()) done(answer->first());
        return;
    }
    QFileDialog* dialog = make(parent, title, {});
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [done](const QString& path) {
        remember(path);
        done(path);
    });
    dialog->open();
}

} // namespace divdet::file_dialogs
