#include "views/candidate_row.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QVBoxLayout>

#include "gui/number_format.h"
#include "gui/theme.h"
#include "views/verdict_text.h"
#include "views/widgets/icon_view.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

QString plainName(DType type) {
    const std::string_view s = name(type);
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

/// The dtypes of the candidate's taps, "f32, i64"; many are "mixed types".
QString dtypeOf(const Comparison& comparison) {
    QStringList types;
    for (const TapPair& pair : comparison.pairs)
        if (const QString type = plainName(pair.candidateDType); !types.contains(type)) types << type;
    return types.size() > 3 ? QStringLiteral("mixed types") : types.join(QStringLiteral(", "));
}

} // namespace

QString candidateNote(const Candidate& candidate) {
    switch (candidate.state) {
    case Candidate::State::waiting:
        return QStringLiteral("waiting");
    case Candidate::State::failed:
        return candidate.error ? QString::fromStdString(candidate.error->message)
                               : QStringLiteral("not readable");
    case Candidate::State::running:
        if (candidate.total == 0) return QStringLiteral("opening");
        return QStringLiteral("%1 of %2 taps compared")
            .arg(num::count(candidate.done), num::count(candidate.total));
    case Candidate::State::cancelled:
        if (!candidate.judged.comparison()) return QStringLiteral("cancelled");
        [[fallthrough]];
    case Candidate::State::done:
        break;
    }
    if (!candidate.judged.comparison()) return {};
    const Comparison& comparison = *candidate.judged.comparison();
    const std::size_t taps = comparison.pairs.size() + comparison.onlyInCandidate.size();
    const QString cancelled =
        candidate.state == Candidate::State::cancelled ? QStringLiteral(" · cancelled") : QString();
    const QString type = dtypeOf(comparison);
    return num::count(taps) + (taps == 1 ? QStringLiteral(" tap") : QStringLiteral(" taps")) +
           (type.isEmpty() ? QString() : QStringLiteral(" · ") + type) + cancelled;
}

CandidateRow::CandidateRow(QWidget* parent)
    : QAbstractButton(parent)
    , m_icon(new IconView(QStringLiteral("clock"), Token::text3, 16, this))
    , m_name(new ElidedLabel({}, FontStep::body, Token::text1, this))
    , m_note(new ElidedLabel({}, FontStep::caption, Token::text2, this))
    , m_progress(new QProgressBar(this)) {
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 5, 12, 5);
    row->setSpacing(8);
    auto* column = new QVBoxLayout;
    column->setSpacing(1);
    m_name->setFont(monoFont());
    m_name->setElideMode(Qt::ElideMiddle);
    m_progress->setTextVisible(false);
    column->addWidget(m_name);
    column->addWidget(m_note);
    column->addWidget(m_progress);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addLayout(column, 1);
    for (QWidget* child :
         {static_cast<QWidget*>(m_icon), static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_note)})
        child->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_progress->setAttribute(Qt::WA_TransparentForMouseEvents);
}

void CandidateRow::setCandidate(const Candidate& candidate, bool current) {
    setChecked(current);
    m_name->setText(candidate.name());
    m_name->setFont([&] {
        QFont f = monoFont();
        f.setWeight(current ? QFont::DemiBold : QFont::Normal);
        return f;
    }());
    m_note->setText(candidateNote(candidate));
    setToolTip(QString::fromStdString(candidate.path.string()));
    const bool running = candidate.state == Candidate::State::running;
    m_progress->setVisible(running);
    m_progress->setRange(0, static_cast<int>(candidate.total));
    m_progress->setValue(static_cast<int>(candidate.done));
    if (candidate.state == Candidate::State::failed) {
        m_icon->setIcon(QStringLiteral("outside"), Token::outsideFg);
    } else if (candidate.judged.judgement() && !running && candidate.judged.waiting() == 0) {
        const VerdictLook look = verdictLook(toneOf(candidate.judged.judgement()->verdict));
        m_icon->setIcon(look.icon, look.fg);
    } else {
        m_icon->setIcon(QStringLiteral("clock"), Token::text3);
    }
    const QString verdict =
        candidate.judged.judgement() ? wordOf(candidate.judged.judgement()->verdict) : QString();
    setAccessibleName(QStringLiteral("%1 %2, %3").arg(verdict, candidate.name(), candidateNote(candidate)));
    updateGeometry();
    update();
}

QSize CandidateRow::sizeHint() const {
    return layout()->sizeHint();
}

void CandidateRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (isChecked())
        painter.fillRect(rect(), color(Token::selection));
    else if (underMouse())
        painter.fillRect(rect(), color(Token::alt));
    if (hasFocus()) {
        painter.setPen(QPen(color(Token::accent), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void CandidateRow::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Compare again")), &QAction::triggered, this,
            &CandidateRow::compareAgainRequested);
    connect(menu->addAction(tr("Remove from the list")), &QAction::triggered, this,
            &CandidateRow::removeRequested);
    menu->popup(event->globalPos());
}

void CandidateRow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Delete) return emit removeRequested();
    QAbstractButton::keyPressEvent(event);
}

} // namespace divdet
