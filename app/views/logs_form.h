#pragma once
#include <QWidget>

#include "gui/document.h"

class QCheckBox;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace divdet {

class ElidedLabel;
class Label;

/// The left dock of the logs: what is read and how, and the verdict on it.
class LogsForm : public QWidget {
    Q_OBJECT
public:
    explicit LogsForm(Document* document, QWidget* parent = nullptr); ///< objectName "logsForm"

signals:
    void openRequested();
    void pasteRequested();

private:
    void askForBefore();
    void showSource();
    void showAnswer();

    Document* m_document;
    Label *m_word, *m_sentence, *m_notes;
    ElidedLabel *m_source, *m_before;
    QPushButton* m_clearBefore;
    QCheckBox* m_follow;
    QSpinBox* m_rank;
};

} // namespace divdet
