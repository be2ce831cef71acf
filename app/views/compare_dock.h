#pragma once
#include <QList>
#include <QWidget>

#include "gui/document.h"

class QCheckBox;
class QComboBox;
class QPushButton;
class QVBoxLayout;

namespace divdet {

class CandidateRow;
class ElidedLabel;
class Label;

/// The left dock of Compare: reference, candidates, how they were paired, and the tolerance.
class CompareDock : public QWidget {
    Q_OBJECT
public:
    explicit CompareDock(Document* document, QWidget* parent = nullptr);

    class ToleranceBox* toleranceBox() const {
        return m_tolerance;
    }

signals:
    void openReferenceRequested();
    void addCandidateRequested();

private:
    QWidget* makeReference();
    QWidget* makeCandidates();
    QWidget* makePairing();
    QWidget* makeSettings();
    void showFiles();
    void showPairing();
    void showSettings();

    Document* m_document;
    ElidedLabel* m_referenceName = nullptr;
    Label* m_referenceNote = nullptr;
    QPushButton* m_swap = nullptr;
    QPushButton* m_openReference = nullptr;
    QVBoxLayout* m_list = nullptr;
    Label* m_noCandidate = nullptr;
    QList<CandidateRow*> m_rows;
    QWidget* m_pairing = nullptr;
    QVBoxLayout* m_pairingLines = nullptr;
    QComboBox* m_preset = nullptr;
    QCheckBox* m_equalNan = nullptr;
    QCheckBox* m_squeeze = nullptr;
    QCheckBox* m_ignoreMissing = nullptr;
    ToleranceBox* m_tolerance = nullptr;
};

} // namespace divdet
