#pragma once
#include <QList>
#include <QWidget>

#include "gui/document.h"

class QVBoxLayout;

namespace divdet {

class NoteCard;
class VerdictBlock;

/// The right dock of the advisor: what it says of the given tolerance, and cards about the faults.
class AdvisorPane : public QWidget {
    Q_OBJECT
public:
    explicit AdvisorPane(Document* document, QWidget* parent = nullptr); ///< objectName "advisorPane"

    VerdictBlock* block() const { return m_block; } ///< objectName "advisorVerdict"

signals:
    void verdictChanged();

private:
    void showAnswer();
    void showProgress(double fraction);

    Document* m_document;
    VerdictBlock* m_block;
    QVBoxLayout* m_column;
    QList<NoteCard*> m_cards;
};

} // namespace divdet
