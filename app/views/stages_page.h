#pragma once
#include <QWidget>

#include "gui/document.h"

class QProgressBar;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace divdet {

class ElidedLabel;
class Label;

/// The first stage of compiling that disagrees with the reference, and whose business that is. Its controls
/// are a widget of their own for the left dock.
class StagesPage : public QWidget {
    Q_OBJECT
public:
    explicit StagesPage(Document* document, QWidget* parent = nullptr); ///< objectName "stagesPage"

    QWidget* controls() const { return m_controls; }
    QString commandLine() const;
    QString subject() const; ///< for the title
    void setNarrow(bool narrow);

signals:
    void commandLineRequested();
    void livePageRequested();

private:
    QWidget* makeStrip();
    QWidget* makeAnswer();
    QWidget* makeTable();
    void showAll();
    void showTable(const StagesResult* stages);

    Document* m_document;
    QWidget* m_controls;
    ElidedLabel* m_what;
    QProgressBar* m_bar;
    QPushButton *m_cancel, *m_command;
    Label *m_word, *m_meaning, *m_notes;
    QStandardItemModel* m_model;
    QTableView* m_table;
};

} // namespace divdet
