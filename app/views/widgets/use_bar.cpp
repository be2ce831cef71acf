#include "views/widgets/use_bar.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

namespace divdet {
namespace {
constexpr double tickAt = 0.8;
}

UseBar::UseBar(QWidget* parent)
    : QWidget(parent)
    , m_use(std::numeric_limits<double>::quiet_NaN()) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Tolerance used"));
}

void UseBar::setUse(double use, VerdictTone tone) {
    m_use = use;
    m_tone = tone;
    setAccessibleDescription(std::isnan(use) ? tr("not known") : num::wholeShare(use));
    update();
}

double UseBar::fillOf(double use) {
    if (std::isnan(use) || use <= 0) return 0;
    return std::min(use * tickAt, 1.0);
}

void UseBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF track(0, height() / 2.0 - 4, width(), 8);
    painter.setBrush(color(Token::sunken));
    painter.drawRoundedRect(track, 4, 4);
    QRectF fill = track;
    fill.setWidth(track.width() * fillOf(m_use));
    if (fill.width() > 0) {
        fill.setWidth(std::max(fill.width(), track.height())); // a used bit stays visible
        painter.setBrush(color(verdictLook(m_tone).solid));
        painter.drawRoundedRect(fill, 4, 4);
    }
    painter.setBrush(color(Token::text1));
    painter.drawRect(QRectF(std::round(width() * tickAt) - 1, height() / 2.0 - 6, 2, 12));
}

} // namespace divdet
