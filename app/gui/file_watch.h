#pragma once
#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>
#include <QTimer>

namespace divdet {

class Document;

/// Watches the opened files and offers to reload one that changed. The offer comes when the file has been
/// quiet for a moment: a dump is written in many steps.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(Document* document, QObject* parent = nullptr);

    int count() const { return static_cast<int>(m_watcher.files().size() + m_watcher.directories().size()); }

signals:
    void countChanged();

private:
    void follow();
    void offer();

    Document* m_document;
    QFileSystemWatcher m_watcher;
    QTimer m_quiet;
    QSet<QString> m_changed;
};

} // namespace divdet
