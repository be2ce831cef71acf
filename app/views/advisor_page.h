#pragma once
#include <QList>

#include "gui/document.h"
#include "views/tool_page.h"

class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace divdet {

class AdvisorForm;
class ElidedLabel;
class Label;
class PowerModel;

/// Which tolerance a test should have: the tolerances, the faults that they catch, and lines to paste.
class AdvisorPage : public ToolPage {
    Q_OBJECT
public:
    explicit AdvisorPage(Document* document, QWidget* parent = nullptr); ///< objectName "advisorPage"

    QString subject() const override;
    QString commandLine() const override;
    void setNarrow(bool narrow) override;

private:
    QWidget* makeTolerances();
    QWidget* makeFaults();
    QWidget* makeLines();
    void showAnswer();
    void showTolerances(const Advice* advice);
    void showLines();
    void showRunning();
    void showProgress(quint64 done, quint64 total, const QString& what);

    Document* m_document;
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
