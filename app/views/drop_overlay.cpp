#include "views/drop_overlay.h"

#include <QPainter>

#include "gui/fonts.h"
#include "gui/theme.h"

namespace divdet {

DropOverlay::DropOverlay(QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("dropOverlay"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropOverlay::showFor(qsizetype files, double x, bool hasReference) {
    m_files = files;
    m_candidate = hasReference && x >= width() / 2.0;
    if (!hasReference) m_candidate = false;
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

void DropOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF half(0, 0, width() / 2.0, height());
    const auto paint = [&](const QRectF& area, const QString& word, bool target) {
        painter.setOpacity(0.92);
        painter.fillRect(area, color(target ? Token::accentBg : Token::window));
        painter.setOpacity(1);
        painter.setPen(QPen(color(target ? Token::accent : Token::control), 2, Qt::DashLine));
        painter.drawRoundedRect(area.adjusted(12, 12, -12, -12), 8, 8);
        painter.setFont(divdet::font(FontStep::title));
        painter.setPen(color(target ? Token::accent : Token::text2));
        painter.drawText(area, Qt::AlignCenter, word);
    };
    if (m_logs) {
        painter.fillRect(rect(), color(Token::window));
        paint(rect(), m_files == 1 ? tr("read as a log") : tr("read as one log"), true);
        return;
    }
    if (m_files > 1) {
        painter.fillRect(rect(), color(Token::window));
        paint(rect(),
              m_files == 2 ? tr("first the reference, then the candidate")
                           : tr("first the reference, then the candidates"),
              true);
        return;
    }
    paint(half, tr("reference"), !m_candidate);
    paint(half.translated(half.width(), 0), tr("candidate"), m_candidate);
}

} // namespace divdet
