#pragma once
#include <QWidget>

class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace divdet {

class Actions;
class Document;

/// Open, pages, undo and redo, export, run. Narrow windows keep the words of pages and the icons of the
/// others.
class ToolBar : public QWidget {
    Q_OBJECT
public:
    ToolBar(Actions* actions, Document* document, QWidget* parent);

    void setNarrow(bool narrow);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* addPage(class QAction* action, const QString& name, const QString& icon);
    void showRun();

    QHBoxLayout* m_row;
    Actions* m_actions;
    Document* m_document;
    QToolButton* m_open;
    QList<QToolButton*> m_pages;
    QToolButton* m_export;
    QPushButton* m_run;
};

} // namespace divdet
