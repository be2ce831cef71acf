#pragma once
#include <QList>
#include <QWidget>

#include "gui/document.h"
#include "gui/selection.h"

class QVBoxLayout;

namespace divdet {

class NoteCard;
class SectionHead;
class VerdictBlock;

/// The right dock: the verdict of the shown side and the notes below it.
class VerdictPane : public QWidget {
    Q_OBJECT
public:
    VerdictPane(Document* document, Selection* live, Selection* files, QWidget* parent = nullptr);

    VerdictBlock* block() const { return m_block; }
    void setNarrow(bool narrow); ///< three rows only
    /// "mlp" or "eager_fp32 ⟷ int8_clip": what is judged.
    static QString subject(Document& document);

signals:
    void verdictChanged();

private:
    void showAll();
    void showVerdict();
    void showNotes();
    void showProgress();

    Document* m_document;
    Selection* m_live;
    Selection* m_files;
    VerdictBlock* m_block;
    SectionHead* m_head;
    QVBoxLayout* m_column;
    QList<NoteCard*> m_cards;
    bool m_narrow = false;
};

} // namespace divdet
