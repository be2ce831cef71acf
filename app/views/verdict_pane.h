#pragma once
#include <QList>
#include <QWidget>

#include "gui/document.h"
#include "gui/selection.h"

class QVBoxLayout;

namespace divdet {

class ElementInspector;
class FindingCard;
class Label;
class NoteCard;
class SectionHead;
class VerdictBlock;

/// The right dock: the verdict of the shown side, why the selected tap differs, one element of it, and notes.
class VerdictPane : public QWidget {
    Q_OBJECT
public:
    VerdictPane(Document* document, Selection* live, Selection* files, QWidget* parent = nullptr);

    VerdictBlock* block() const { return m_block; }
    ElementInspector* inspector() const { return m_inspector; }
    void setNarrow(bool narrow); ///< three rows only
    /// "mlp" or "eager_fp32 ⟷ int8_clip": what is judged.
    static QString subject(Document& document);

signals:
    void verdictChanged();
    /// A card leads to an element: the tap is selected, and a plot may show it.
    void placeRequested(const QString& tap, qint64 element);
    void huntRequested(const QString& finding);

private:
    void showAll();
    void showVerdict();
    void showNotes();
    void showDiagnosis();
    void goTo(const QString& tap, qint64 element);
    Selection* selection() const;
    bool classesPending() const;
    void showProgress();

    Document* m_document;
    Selection* m_live;
    Selection* m_files;
    VerdictBlock* m_block;
    SectionHead *m_why, *m_head;
    Label* m_nothing;
    QVBoxLayout *m_findings, *m_column;
    QList<FindingCard*> m_findingCards;
    ElementInspector* m_inspector;
    QList<NoteCard*> m_cards;
    bool m_narrow = false;
};

} // namespace divdet
