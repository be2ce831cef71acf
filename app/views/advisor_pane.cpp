#include "views/advisor_pane.h"

#include <QScrollArea>
#include <QVBoxLayout>
#include <limits>

#include "views/advisor_text.h"
#include "views/note_card.h"

namespace divdet {

AdvisorPane::AdvisorPane(Document* document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_block(new VerdictBlock(this)) {
    setObjectName(QStringLiteral("advisorPane"));
    m_block->setObjectName(QStringLiteral("advisorVerdict"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(m_block);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("advisorCards"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    auto* cards = new QWidget(scroll);
    cards->setAutoFillBackground(false);
    m_column = new QVBoxLayout(cards);
    m_column->setContentsMargins(12, 12, 12, 12);
    m_column->setSpacing(8);
    m_column->addStretch(1);
    scroll->setWidget(cards);
    outer->addWidget(scroll, 1);

    AdvisorSide& side = document->advisor();
    connect(&side, &AdvisorSide::adviceChanged, this, &AdvisorPane::showAnswer);
    connect(&side, &AdvisorSide::requestChanged, this, &AdvisorPane::showAnswer);
    connect(&side, &AdvisorSide::runningChanged, this, &AdvisorPane::showAnswer);
    connect(&side, &AdvisorSide::progressed, this, [this](quint64 done, quint64 total) {
        showProgress(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : -1);
    });
    showAnswer();
}

void AdvisorPane::showAnswer() {
    const AdvisorSide& side = m_document->advisor();
    const auto advice = side.shown();
    m_block->setContent(advice ? adviceVerdict(*advice) : pendingAdvice(side));
    const std::vector<Note> notes = advice ? adviceNotes(*advice) : std::vector<Note>();
    while (m_cards.size() < static_cast<qsizetype>(notes.size())) {
        m_cards << new NoteCard(this);
        m_column->insertWidget(m_column->count() - 1, m_cards.last());
    }
    for (qsizetype i = 0; i < m_cards.size(); ++i) {
        const bool used = i < static_cast<qsizetype>(notes.size());
        if (used)
            m_cards[i]->setNote(notes[static_cast<std::size_t>(i)]);
        else
            m_cards[i]->setObjectName({});
        m_cards[i]->setVisible(used);
    }
    showProgress(side.running() ? -1 : std::numeric_limits<double>::quiet_NaN());
    emit verdictChanged();
}

void AdvisorPane::showProgress(double fraction) {
    m_block->setProgress(fraction);
}

} // namespace divdet
