#pragma once
#include <QList>
#include <QWidget>

#include "gui/document.h"

class QCheckBox;
class QSpinBox;

namespace divdet {

class Label;

/// The left dock of the determinism lab: which sources, how many runs. The block is that of the live page.
class DeterminismForm : public QWidget {
    Q_OBJECT
public:
    explicit DeterminismForm(Document* document, QWidget* parent = nullptr); ///< objectName "determinismForm"

signals:
    void livePageRequested();

private:
    void takeAll();
    void showBlock();
    void showQuestion();

    Document* m_document;
    Label *m_block, *m_error;
    QCheckBox* m_passes;
    QList<QCheckBox*> m_sources;
    QSpinBox *m_runs, *m_pairs;
    bool m_showing = false; ///< widgets follow the question: what they signal is no wish
};

} // namespace divdet
