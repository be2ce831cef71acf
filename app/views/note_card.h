#pragma once
#include <QFrame>

#include "views/notes.h"

class QPushButton;
class QVBoxLayout;

namespace divdet {

class IconView;
class Label;

/// One note. Made once and refilled.
class NoteCard : public QFrame {
    Q_OBJECT
public:
    explicit NoteCard(QWidget* parent = nullptr);
    void setNote(const Note& note);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fillEvidence(const Note& note);

    Token m_band = Token::text3;
    IconView* m_icon;
    Label* m_title;
    Label* m_text;
    QWidget* m_evidence;
    QPushButton* m_button;
    std::function<void()> m_act;
};

} // namespace divdet
