#include "views/widgets/log_timeline.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <array>
#include <cmath>

#include "gui/fonts.h"
#include "gui/number_format.h"
#include "gui/theme.h"

namespace divdet {
namespace {

struct Lane {
    LogEvent::Kind kind;
    const char* word;
    Token token;
};
constexpr std::array kLanes{Lane{LogEvent::Kind::compile, "compiles", Token::passBlue},
                            Lane{LogEvent::Kind::recompile, "recompiles", Token::inconSolid},
                            Lane{LogEvent::Kind::graphBreak, "graph breaks", Token::incompSolid},
                            Lane{LogEvent::Kind::limit, "limit hit", Token::outsideSolid}};
constexpr double kWords = 92, kAxis = 30, kNear = 8, kHalf = 7; ///< px

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

/// 1, 2 or 5 times a power of ten, about `parts` of them in `span`.
double stepOf(double span, double parts) {
    const double raw = span / parts, decade = std::pow(10, std::floor(std::log10(raw)));
    for (const double m : {1.0, 2.0, 5.0})
        if (m * decade >= raw) return m * decade;
    return 10 * decade;
}

} // namespace

LogTimeline::LogTimeline(QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("logTimeline"));
    setAccessibleName(tr("Events over time"));
    setMinimumHeight(120);
}

void LogTimeline::setAnswer(std::shared_ptr<const LogsAnswer> answer) {
    m_answer = std::move(answer);
    m_last = 0;
    if (m_answer)
        for (const LogEvent& e : m_answer->report.timeline)
            m_last = std::max(m_last, e.at + e.lost.value_or(0));
    if (m_last <= 0) m_last = 1;
    update();
}

QRectF LogTimeline::plot() const {
    return {kWords, 8, std::max(40.0, width() - kWords - 16.0), std::max(40.0, height() - 8 - kAxis)};
}

double LogTimeline::x(double seconds) const {
    const QRectF p = plot();
    return p.left() + p.width() * seconds / m_last;
}

double LogTimeline::lane(LogEvent::Kind kind) const {
    const QRectF p = plot();
    for (std::size_t i = 0; i < kLanes.size(); ++i)
        if (kLanes[i].kind == kind)
            return p.top() + p.height() * (static_cast<double>(i) + 0.5) / static_cast<double>(kLanes.size());
    return p.center().y();
}

const LogEvent* LogTimeline::eventAt(const QPointF& at) const {
    if (!m_answer) return nullptr;
    const LogEvent* nearest = nullptr;
    double best = kNear;
    const double half = plot().height() / static_cast<double>(kLanes.size()) / 2;
    for (const LogEvent& e : m_answer->report.timeline) {
        if (std::abs(lane(e.kind) - at.y()) > half) continue;
        const double from = x(e.at), to = x(e.at + e.lost.value_or(0));
        const double away = at.x() < from ? from - at.x() : at.x() > to ? at.x() - to : 0;
        if (away <= best) best = away, nearest = &e;
    }
    return nearest;
}

void LogTimeline::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.fillRect(rect(), color(Token::plot));
    const QRectF box = plot();
    p.setFont(divdet::font(FontStep::caption));
    if (!m_answer || m_answer->report.timeline.empty()) {
        p.setPen(color(Token::text2));
        p.drawText(rect(), Qt::AlignCenter, tr("The log has no times: its lines carry no clock"));
        return;
    }
    const double step = stepOf(m_last, std::max(2.0, box.width() / 90));
    for (double s = 0; s <= m_last * 1.0001; s += step) {
        p.setPen(color(Token::grid));
        p.drawLine(QPointF(x(s), box.top()), QPointF(x(s), box.bottom()));
        p.setPen(color(Token::axis));
        p.drawText(QRectF(x(s) - 40, box.bottom() + 2, 80, 14), Qt::AlignHCenter | Qt::AlignTop,
                   QString::number(s, 'g', 4));
    }
    p.drawText(QRectF(box.left(), box.bottom() + 14, box.width(), 14), Qt::AlignHCenter,
               tr("time since the first event, s"));
    for (const Lane& l : kLanes) {
        p.setPen(color(Token::text2));
        p.drawText(QRectF(0, lane(l.kind) - 10, kWords - 8, 20), Qt::AlignRight | Qt::AlignVCenter,
                   tr(l.word));
        p.setPen(color(Token::border));
        p.drawLine(QPointF(box.left(), lane(l.kind)), QPointF(box.right(), lane(l.kind)));
    }
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    for (const Lane& l : kLanes) { // a lane's colour and place once, not for each of thousands of events
        p.setBrush(color(l.token));
        const double top = lane(l.kind) - kHalf;
        for (const LogEvent& e : m_answer->report.timeline)
            if (e.kind == l.kind) {
                const double from = x(e.at), wide = std::max(3.0, x(e.at + e.lost.value_or(0)) - from);
                p.drawRect(QRectF(from, top, wide, 2 * kHalf));
            }
    }
}

bool LogTimeline::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const LogEvent* e = eventAt(help->pos())) {
        const std::string_view kind = toString(e->kind);
        QString words =
            tr("%1 of %2 at %3 s")
                .arg(QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())), text(e->function))
                .arg(e->at, 0, 'f', 3);
        if (!e->id.empty()) words += tr(", %1").arg(text(e->id));
        if (e->lost) words += tr(", %1").arg(num::seconds(*e->lost));
        QToolTip::showText(help->globalPos(), words, this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

} // namespace divdet
