#pragma once
#include <QStringList>
#include <functional>

class QWidget;

namespace divdet::file_dialogs {

/// Asks for files and calls `done` with them; not called when the user cancels. Never blocks the event loop
/// of the caller: the dialog is window modal. `several`: more than one may be chosen.
void open(QWidget* parent, const QString& title, bool several, std::function<void(const QStringList&)> done);

/// Asks for a name to save under; `suggestion` is a file name, `filter` as QFileDialog takes it.
void save(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter,
          std::function<void(const QString&)> done);

/// Asks for a folder to write into.
void folder(QWidget* parent, const QString& title, std::function<void(const QString&)> done);

/// Tests answer the next question with these paths instead of a dialog.
void answerNext(const QStringList& paths);

} // namespace divdet::file_dialogs
