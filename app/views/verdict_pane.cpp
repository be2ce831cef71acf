#include "views/verdict_pane.h"

#include <QFileInfo>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <limits>

#include "gui/number_format.h"
#include "session/make_report.h"
#include "views/diagnosis.h"
#include "views/element_inspector.h"
#include "views/finding_card.h"
#include "views/metric_text.h"
#include "views/note_card.h"
#include "views/notes.h"
#include "views/verdict_text.h"
#include "views/widgets/label.h"
#include "views/widgets/section_head.h"
#include "views/widgets/verdict_block.h"

namespace divdet {
namespace {

constexpr std::size_t kMostCards = 5; ///< the strongest; more would bury the element and the notes

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString asSentence(QString words) {
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    return words + QLatin1Char('.');
}

/// The block while nothing is judged yet: what is missing, in the quiet colours.
VerdictContent pendingContent(Document& document) {
    VerdictContent content;
    content.tone = VerdictTone::incomplete;
    if (document.side() == Side::live) {
        const auto& error = document.live().error();
        content.word = error ? QStringLiteral("NOT RUN") : QStringLiteral("RUNNING");
        content.sentence = error ? asSentence(text(error->message))
                                 : QStringLiteral("The first run of %1 is on its way.")
                                       .arg(text(document.settings().run.block));
        return content;
    }
    const Candidate* candidate = document.files().currentCandidate();
    if (candidate && candidate->error) {
        content.tone = VerdictTone::outside;
        content.word = QStringLiteral("UNREADABLE");
        content.sentence =
            candidate->name() + QStringLiteral(": ") + text(candidate->error->message) + QLatin1Char('.');
    } else if (candidate && candidate->state == Candidate::State::cancelled) {
        content.word = QStringLiteral("CANCELLED");
        content.sentence =
            QStringLiteral("The comparison was stopped before its first tap. F5 starts it again.");
    } else if (document.files().canCompare()) {
        content.word = QStringLiteral("COMPARING");
        content.sentence = QStringLiteral("The first taps are being read.");
    } else {
        content.word = QStringLiteral("NOTHING YET");
        content.sentence = document.files().reference().empty()
                               ? QStringLiteral("Open a reference and a candidate to compare them.")
                               : QStringLiteral("Open a candidate to compare it with %1.")
                                     .arg(document.files().referenceName());
    }
    return content;
}

/// Task metric of the shown result; empty while there is none.
MetricAnswer shownMetric(Document& document) {
    if (document.side() == Side::live) {
        const auto& newest = document.live().newest();
        return newest ? metricAnswer(*newest) : MetricAnswer{};
    }
    const Candidate* candidate = document.files().currentCandidate();
    return candidate && candidate->result ? metricAnswer(*candidate->result) : MetricAnswer{};
}

void addFooter(VerdictContent& content, Document& document, const Judgement& judgement) {
    const MetricAnswer answer = shownMetric(document);
    if (answer.task) {
        content.footer = metricFooter(answer);
        content.footerTip = metricDetails(answer, judgement);
    } else if (document.side() == Side::live) {
        content.footer = QStringLiteral("Task metric: none. This block has no logits.");
    } else if (document.judged(Side::compare).waiting() == 0) {
        content.footer = QStringLiteral("Task metric: none. No tap is called logits.");
    }
}

} // namespace

VerdictPane::VerdictPane(Document* document, Selection* live, Selection* files, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_live(live)
    , m_files(files)
    , m_block(new VerdictBlock(this)) {
    setObjectName(QStringLiteral("windowSurface"));
    setAttribute(Qt::WA_StyledBackground);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(m_block);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("cardList"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    auto* cards = new QWidget(scroll);
    cards->setAutoFillBackground(false);
    m_column = new QVBoxLayout(cards);
    m_column->setContentsMargins(12, 8, 12, 12);
    m_column->setSpacing(8);
    m_why = new SectionHead(tr("Diagnosis"), cards);
    m_nothing = new Label({}, FontStep::body, Token::text2, cards);
    m_nothing->setObjectName(QStringLiteral("noFinding"));
    m_nothing->setWordWrap(true);
    m_findings = new QVBoxLayout;
    m_findings->setSpacing(8);
    m_inspector = new ElementInspector(document, live, files, cards);
    m_column->addWidget(m_why);
    m_column->addWidget(m_nothing);
    m_column->addLayout(m_findings);
    m_column->addWidget(m_inspector);
    m_head = new SectionHead(tr("Notes"), cards);
    m_column->addWidget(m_head);
    m_column->addStretch(1);
    scroll->setWidget(cards);
    outer->addWidget(scroll, 1);

    connect(m_block, &VerdictBlock::rowActivated, this, [this](const QString& key) {
        const ElementRef to = elementOfKey(key);
        (m_document->side() == Side::live ? m_live : m_files)->select(to.tap, to.element);
    });
    connect(m_block, &VerdictBlock::classTapActivated, this, [this](const QString& tap) { goTo(tap, -1); });
    for (Selection* each : {live, files})
        connect(each, &Selection::changed, this, [this, each] {
            if (each == selection()) showDiagnosis();
        });
    const auto mine = [this](Side side) { return side == m_document->side(); };
    connect(document, &Document::resultChanged, this, [this, mine](Side side) {
        if (mine(side)) showAll();
    });
    connect(document, &Document::toleranceChanged, this, [this, mine](Side side) {
        if (mine(side)) showAll();
    });
    connect(document, &Document::countsChanged, this, [this, mine](Side side) {
        if (mine(side)) showVerdict();
    });
    connect(document, &Document::sideChanged, this, &VerdictPane::showAll);
    connect(document, &Document::busyChanged, this, &VerdictPane::showProgress);
    connect(&document->live(), &LiveSide::progressed, this, &VerdictPane::showProgress);
    connect(&document->sane(), &SaneFinder::changed, this, [this] {
        if (m_document->side() == Side::live) showNotes();
    });
    showAll();
}

QString VerdictPane::subject(Document& document) {
    if (document.side() == Side::live) {
        const auto& newest = document.live().newest();
        return text(newest ? newest->request.block : document.settings().run.block);
    }
    const Candidate* candidate = document.files().currentCandidate();
    const auto stem = [](const QString& name) { return QFileInfo(name).completeBaseName(); };
    if (candidate && !document.files().reference().empty())
        return stem(document.files().referenceName()) + QStringLiteral(" ⟷ ") + stem(candidate->name());
    return document.files().reference().empty() ? QString() : stem(document.files().referenceName());
}

void VerdictPane::setNarrow(bool narrow) {
    m_narrow = narrow;
    showVerdict();
}

Selection* VerdictPane::selection() const {
    return m_document->side() == Side::live ? m_live : m_files;
}

bool VerdictPane::classesPending() const {
    return m_document->side() == Side::live && m_document->live().classesPending();
}

void VerdictPane::goTo(const QString& tap, qint64 element) {
    selection()->select(tap, element);
    if (element >= 0) emit placeRequested(tap, element);
}

void VerdictPane::showAll() {
    showVerdict();
    showDiagnosis();
    showNotes();
    showProgress();
}

void VerdictPane::showVerdict() {
    const Side side = m_document->side();
    const Judged& judged = m_document->judged(side);
    VerdictContent content = judged.judgement()
                                 ? verdictContent(judged, m_document->settings().tolerance(side), side)
                                 : pendingContent(*m_document);
    if (judged.judgement()) addFooter(content, *m_document, *judged.judgement());
    if (judged.comparison() && judged.waiting() == 0) {
        const ClassLine line = classLine(*judged.comparison(), classesPending());
        content.cls = line.tone;
        content.classBefore = line.before;
        content.classTap = line.tap;
        content.classAfter = line.after;
    }
    if (m_narrow)
        std::erase_if(content.rows, [](const VerdictRow& row) {
            return row.label == QLatin1String("max rel") || row.label == QLatin1String("max ulp");
        });
    m_block->setContent(content);
    emit verdictChanged();
}

void VerdictPane::showDiagnosis() {
    const Judged& judged = m_document->judged(m_document->side());
    Diagnosis why;
    if (judged.comparison()) why = diagnosisOf(*judged.comparison(), selection()->tap(), classesPending());
    // An error that only passes through is no finding of the judge.
    if (m_document->side() == Side::live)
        for (FindingView& card : why.cards) card.canHunt = card.tone == ClassTone::bug;
    const auto shown = std::min(why.cards.size(), kMostCards);
    while (m_findingCards.size() < static_cast<qsizetype>(shown)) {
        m_findingCards << new FindingCard(this);
        m_findings->addWidget(m_findingCards.last());
        connect(m_findingCards.last(), &FindingCard::placeRequested, this, &VerdictPane::goTo);
        connect(m_findingCards.last(), &FindingCard::huntRequested, this, &VerdictPane::huntRequested);
    }
    for (qsizetype i = 0; i < m_findingCards.size(); ++i) {
        const bool used = i < static_cast<qsizetype>(shown);
        if (used)
            m_findingCards[i]->setFinding(why.cards[static_cast<std::size_t>(i)]);
        else
            m_findingCards[i]->setObjectName({});
        m_findingCards[i]->setVisible(used);
    }
    m_why->setVisible(judged.comparison() != nullptr);
    m_why->setSubtitle(why.subtitle);
    const auto all = why.cards.size();
    m_why->setCaption(all == 0      ? QString()
                      : all > shown ? tr("%1 of %2").arg(num::count(shown), num::count(all))
                      : all == 1    ? tr("1 finding")
                                    : tr("%1 findings").arg(num::count(all)));
    m_nothing->setText(why.empty);
    m_nothing->setVisible(!why.empty.isEmpty());
}

void VerdictPane::showNotes() {
    std::vector<Note> notes =
        m_document->side() == Side::live ? liveNotes(*m_document) : compareNotes(*m_document);
    if (const auto& judgement = m_document->judged(m_document->side()).judgement())
        addMetricNotes(notes, shownMetric(*m_document), *judgement);
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
    m_head->setVisible(!notes.empty());
    m_head->setCaption(notes.size() == 1 ? tr("1 note") : tr("%1 notes").arg(num::count(notes.size())));
}

void VerdictPane::showProgress() {
    constexpr double idle = std::numeric_limits<double>::quiet_NaN();
    if (m_document->side() == Side::live)
        return m_block->setProgress(m_document->live().running() ? -1 : idle);
    const Candidate* candidate = m_document->files().currentCandidate();
    const bool running = candidate && candidate->state == Candidate::State::running;
    const double done = running && candidate->total > 0
                            ? static_cast<double>(candidate->done) / static_cast<double>(candidate->total)
                            : -1;
    m_block->setProgress(running ? done : idle);
}

} // namespace divdet
