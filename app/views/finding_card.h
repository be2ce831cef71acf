#pragma once
#include <QFrame>

#include "views/diagnosis.h"

class QPushButton;

namespace divdet {

class Chip;
class IconView;
class Label;

/// One cause: what, why, where, the numbers on request, and the next step. Made once and refilled; the
/// numbers stay open or shut.
class FindingCard : public QFrame {
    Q_OBJECT
public:
    explicit FindingCard(QWidget* parent = nullptr);
    void setFinding(const FindingView& finding);
    const FindingView& finding() const { return m_finding; }

signals:
    /// The tap, and the element in it or −1.
    void placeRequested(const QString& tap, qint64 element);
    /// Which pass makes the judge find this.
    void huntRequested(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fillEvidence();
    void showEvidence(bool open);

    FindingView m_finding;
    IconView* m_icon;
    Label* m_title;
    Label* m_text;
    Chip* m_where;
    Label* m_id;
    QPushButton* m_more;
    QWidget* m_evidence;
    QPushButton *m_show, *m_hunt, *m_copy;
};

} // namespace divdet
