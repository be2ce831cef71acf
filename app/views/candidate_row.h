#pragma once
#include <QAbstractButton>

#include "gui/compare_side.h"

class QProgressBar;

namespace divdet {

class ElidedLabel;
class IconView;

/// A candidate in the list: verdict icon, name, what is known of it, progress while it is compared. Checked =
/// shown.
class CandidateRow : public QAbstractButton {
    Q_OBJECT
public:
    explicit CandidateRow(QWidget* parent = nullptr);
    void setCandidate(const Candidate& candidate, bool current);

    QSize sizeHint() const override;

signals:
    void removeRequested();
    void compareAgainRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    IconView* m_icon;
    ElidedLabel* m_name;
    ElidedLabel* m_note;
    QProgressBar* m_progress;
};

/// "47 taps · f32", "112 of 201 taps compared", why it failed.
QString candidateNote(const Candidate& candidate);

} // namespace divdet
