#include "views/widgets/cost_bars.h"

#include <QPainter>
#include <algorithm>

#include "gui/fonts.h"
#include "gui/theme.h"

namespace divdet {
namespace {

constexpr double kWords = 84, kNumbers = 190, kBar = 20, kAxis = 26; ///< px

QString milliseconds(const Quartiles& q) {
    return QStringLiteral("%1 ms  (%2 … %3)")
        .arg(1e3 * q.median, 0, 'g', 3)
        .arg(1e3 * q.low, 0, 'g', 3)
        .arg(1e3 * q.high, 0, 'g', 3);
}

} // namespace

CostBars::CostBars(QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("costBars"));
    setMinimumHeight(92);
}

void CostBars::setCost(const std::optional<SwitchCost>& cost) {
    m_cost = cost;
    if (cost)
        setAccessibleName(tr("Time of a run: switch off %1, switch on %2")
                              .arg(milliseconds(cost->off), milliseconds(cost->on)));
    setVisible(cost.has_value());
    update();
}

void CostBars::paintEvent(QPaintEvent*) {
    if (!m_cost) return;
    QPainter p(this);
    const double most = std::max(m_cost->off.high, m_cost->on.high);
    const double room = std::max(40.0, width() - kWords - kNumbers);
    const auto x = [&](double seconds) { return kWords + room * seconds / most; };
    const std::pair<QString, const Quartiles*> bars[] = {{tr("switch off"), &m_cost->off},
                                                         {tr("switch on"), &m_cost->on}};
    p.setFont(divdet::font(FontStep::caption));
    double y = 4;
    for (const auto& [word, q] : bars) {
        p.setPen(color(Token::text2));
        p.drawText(QRectF(0, y, kWords - 8, kBar), Qt::AlignRight | Qt::AlignVCenter, word);
        p.fillRect(QRectF(kWords, y + 3, x(q->median) - kWords, kBar - 6),
                   color(q == &m_cost->off ? Token::passGrey : Token::passBlue));
        p.setPen(QPen(color(Token::text1), 1.5));
        p.drawLine(QPointF(x(q->low), y + kBar / 2), QPointF(x(q->high), y + kBar / 2));
        for (const double end : {q->low, q->high})
            p.drawLine(QPointF(x(end), y + 5), QPointF(x(end), y + kBar - 5));
        p.drawText(QRectF(x(q->high) + 8, y, kNumbers, kBar), Qt::AlignVCenter, milliseconds(*q));
        y += kBar + 6;
    }
    p.setPen(color(Token::axis));
    p.drawLine(QPointF(kWords, 2), QPointF(kWords, y));
    p.drawText(QRectF(kWords, y, room, kAxis), Qt::AlignLeft | Qt::AlignVCenter,
               tr("ms of one run, from 0; bar: median, line: quartiles of %1 pairs").arg(m_cost->pairs));
}

} // namespace divdet
