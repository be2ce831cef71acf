#pragma once
#include <QList>
#include <QWidget>

#include "gui/document.h"

class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace divdet {

class AdvisorForm;
class ElidedLabel;
class Label;
class PowerModel;

/// Which tolerance a test should have: the tolerances, the faults that they catch, and lines to paste. Its
/// controls are a widget of their own for the left dock.
class AdvisorPage : public QWidget {
    Q_OBJECT
public:
    explicit AdvisorPage(Document* document, QWidget* parent = nullptr); ///< objectName "advisorPage"

    QWidget* controls() const { return m_controls; }
    QString commandLine() const; ///< asks what the form says; the answer that is shown may be of another one
    void setNarrow(bool narrow);

signals:
    void commandLineRequested();

private:
    QWidget* makeStrip();
    QWidget* makeTolerances();
    QWidget* makeFaults();
    QWidget* makeLines();
    void showAnswer();
    void showTolerances(const Advice* advice);
    void showLines();
    void showRunning();
    void showProgress(quint64 done, quint64 total, const QString& what);

    Document* m_document;
    QWidget* m_controls;
    ElidedLabel* m_what;
    QProgressBar* m_bar;
    QPushButton *m_cancel, *m_command;
    QGridLayout* m_tolerances;
    QList<QWidget*> m_cells;
    Label* m_empty;
    PowerModel* m_power;
    QTableView* m_faults;
    ElidedLabel* m_faultsNote;
    QList<QPushButton*> m_tools;
    QPlainTextEdit* m_lines;
};

} // namespace divdet
