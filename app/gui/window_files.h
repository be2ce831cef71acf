#pragma once
#include <QObject>
#include <QStringList>

#include "gui/file_watch.h"
#include "views/widgets/drop_zone.h"

class QWidget;

namespace divdet {

class Document;

/// Everything the window does with files: asks for them, opens them, tells what went wrong, remembers pairs.
class WindowFiles : public QObject {
    Q_OBJECT
public:
    WindowFiles(Document* document, QWidget* window);

    void askFor(bool reference);
    void open(const QStringList& paths, DropSide side = DropSide::automatic);
    int watched() const { return m_watch.count(); }

signals:
    void opened();
    void watchedChanged(int files);

private:
    void tellFailure(int index);
    void remember(int index);

    Document* m_document;
    QWidget* m_window;
    FileWatch m_watch;
};

} // namespace divdet
