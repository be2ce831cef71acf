#pragma once
#include <QStatusBar>

namespace divdet {

class Document;
class Label;
class Selection;

/// State · what · device, and at the right the selection, the watched files and the threads.
class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    StatusLine(Document* document, Selection* live, Selection* files, QWidget* parent);

    void setWatched(int files);

private:
    void showAll();
    QString state() const;
    QString what() const;

    Document* m_document;
    Selection* m_live;
    Selection* m_files;
    int m_watched = 0;
    Label *m_state, *m_what, *m_device, *m_selection, *m_threads;
};

} // namespace divdet
