// How TapMatrix draws itself.
#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "models/verdict_look.h"
#include "views/widgets/tap_matrix.h"
#include <QPainter>
#include <QScrollBar>

namespace divdet {
namespace {

constexpr int kHead = 24, kScale = 34;

QColor rampAt(double place) {
    const auto ramp = matrixRamp();
    const double at = place * static_cast<double>(ramp.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
    return Theme::current().blend(ramp[i + 1], ramp[i], at - static_cast<double>(i));
}

void paintHatch(QPainter& p, const QRectF& box) {
    p.save();
    p.setClipRect(box);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(color(Token::control), 0.8));
    // Lines start at multiples of the step, so that the hatch runs on from cell to cell.
    for (double x = std::floor((box.left() - box.height()) / 6) * 6; x < box.right(); x += 6)
        p.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    p.restore();
}

} // namespace

void TapMatrix::paintEvent(QPaintEvent*) {
    QPainter p(viewport());
    p.fillRect(viewport()->rect(), color(Token::panel));
    p.save();
    p.setClipRect(0, kHead, viewport()->width(), viewport()->height() - kHead - kScale);
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        if (band(row).bottom() > kHead && band(row).top() < viewport()->height()) paintRow(p, row);
    p.restore();
    paintHead(p);
    paintScale(p);
}

void TapMatrix::paintRow(QPainter& p, int row) const {
    const QRectF box = band(row), axis = axisBand();
    const Row& shown = m_rows[static_cast<std::size_t>(row)];
    if (row == m_row) p.fillRect(box, color(Token::selection));
    QFont mono = monoFont();
    if (row == m_row) mono.setBold(true);
    p.setFont(mono);
    p.setPen(color(Token::text1));
    p.drawText(QRectF(8, box.top(), axis.left() - 16, box.height()), Qt::AlignVCenter,
               p.fontMetrics().elidedText(shown.name, Qt::ElideMiddle, static_cast<int>(axis.left()) - 16));
    paintCells(p, row);
    if (rightColumn() <= 0) return;
    int compared = 0, over = 0;
    const auto& cells = m_cells[static_cast<std::size_t>(row)];
    for (std::size_t i = 0; i < cells.size(); ++i) {
        compared += cells[i].compared;
        over += cells[i].compared && cells[i].verdict != Verdict::within &&
                cells[i].verdict != Verdict::inconclusive;
    }
    const bool running =
        compared < tapCount() &&
        std::any_of(cells.begin(), cells.end(), [](const TapCell& c) { return !c.compared && !c.absent; });
    const QRectF right(axis.right() + 12, box.top(), rightColumn(), box.height());
    const QRectF mark(right.left(), box.center().y() - 6, 12, 12),
        word(right.left() + 17, box.top(), 110, box.height());
    p.setFont(divdet::font(FontStep::caption, QFont::DemiBold));
    if (running || !shown.judgement) {
        drawIcon(p, QStringLiteral("clock"), Token::text2, mark);
        p.setPen(color(Token::text2));
        p.drawText(word, Qt::AlignVCenter, tr("%1 of %2").arg(compared).arg(tapCount()));
    } else {
        const VerdictLook look = lookOf(shown.judgement->verdict);
        drawIcon(p, look.icon, look.fg, mark);
        p.setPen(color(look.fg));
        p.drawText(word, Qt::AlignVCenter, look.word);
    }
    if (!showsCount()) return;
    p.setFont(monoFont());
    p.setPen(color(Token::text1));
    p.drawText(right.adjusted(0, 0, -10, 0), Qt::AlignVCenter | Qt::AlignRight,
               over == 1 ? tr("1 tap") : tr("%1 taps").arg(over));
}

void TapMatrix::paintCells(QPainter& p, int row) const {
    const QRectF axis = axisBand();
    const QRectF frame(axis.left(), band(row).top() + 4, axis.width(), band(row).height() - 8);
    p.setRenderHint(QPainter::Antialiasing, false);
    p.fillRect(frame, color(Token::panel));
    for (int column = 0; column < columnCount(); ++column) {
        QRectF box = cellRect(row, column);
        box.setRight(std::min(std::ceil(box.right()), frame.right())); // no seams between columns
        const TapCell cell = columnCell(row, column);
        if (!cell.compared)
            paintHatch(p, box);
        else if (m_by == ColourBy::verdict)
            p.fillRect(box, color(lookOf(cell.verdict).solid));
        else
            p.fillRect(box, rampAt(matrixPlace(cell.relativeError)));
        // Colour alone never tells a verdict: outside cells are full, others half high.
        if (cell.compared && m_by == ColourBy::verdict && cell.verdict != Verdict::outside)
            p.fillRect(QRectF(box.left(), box.top(), box.width(), box.height() / 2), color(Token::panel));
    }
    p.setPen(QPen(color(Token::border), 1));
    p.setBrush(Qt::NoBrush);
    p.drawRect(frame.adjusted(0, 0, -1, -1));
    if (row != m_row || m_tap < 0 || columnCount() < 1) return;
    const QRectF mark = cellRect(row, columnOfTap(m_tap));
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(color(Token::panel), 4));
    p.drawRect(mark.adjusted(-1, -2, 1, 2));
    p.setPen(QPen(color(Token::accent), 2));
    p.drawRect(mark.adjusted(-1, -2, 1, 2));
}

void TapMatrix::paintHead(QPainter& p) const {
    const QRectF axis = axisBand();
    p.fillRect(QRectF(0, 0, viewport()->width(), kHead), color(Token::panel));
    p.setFont(divdet::font(FontStep::caption));
    p.setPen(color(Token::text3));
    p.drawText(QRectF(8, 0, axis.left() - 16, kHead), Qt::AlignVCenter, tr("tap →"));
    p.setFont(monoFont(FontStep::tick));
    const int n = tapCount();
    int step = 1;
    for (int size = 1; n > 0 && axis.width() / n * step < 48; size *= 10)
        for (int factor : {1, 2, 5})
            if (axis.width() / n * step < 48) step = size * factor;
    for (int tap = 0; tap < n; tap += step) {
        const double x = axis.left() + (tap + 0.5) * axis.width() / n;
        const QString label = QString::number(tap + 1);
        const double wide = p.fontMetrics().horizontalAdvance(label);
        p.drawText(QRectF(std::clamp(x - wide / 2, axis.left(), axis.right() - wide), 0, wide + 2, kHead),
                   Qt::AlignVCenter, label);
    }
    if (rightColumn() <= 0) return;
    p.setFont(divdet::font(FontStep::caption));
    const QRectF right(axis.right() + 12, 0, rightColumn(), kHead);
    p.drawText(right, Qt::AlignVCenter, tr("verdict"));
    if (showsCount())
        p.drawText(right.adjusted(0, 0, -10, 0), Qt::AlignVCenter | Qt::AlignRight, tr("over tol."));
}

void TapMatrix::paintScale(QPainter& p) const {
    const double top = viewport()->height() - kScale;
    p.fillRect(QRectF(0, top, viewport()->width(), kScale), color(Token::panel));
    double x = axisBand().left();
    const auto word = [&](const QString& text) {
        p.setFont(divdet::font(FontStep::caption));
        p.setPen(color(Token::text2));
        p.drawText(QRectF(x, top + 4, 300, 16), Qt::AlignVCenter, text);
        x += p.fontMetrics().horizontalAdvance(text) + 14;
    };
    if (m_by == ColourBy::relativeError) {
        word(tr("relative rms error"));
        for (int i = 0; i < 110; ++i) p.fillRect(QRectF(x + i, top + 7, 1, 9), rampAt(i / 109.0));
        p.setFont(monoFont(FontStep::tick));
        p.drawText(QRectF(x, top + 17, 40, 14), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("1e-8"));
        p.drawText(QRectF(x + 70, top + 17, 40, 14), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("1"));
        x += 126;
    } else {
        for (Verdict v : {Verdict::within, Verdict::outside, Verdict::inconclusive}) {
            const VerdictLook look = lookOf(v);
            const double half = v == Verdict::outside ? 0 : 5;
            p.fillRect(QRectF(x, top + 7 + half, 14, 10 - half), color(look.solid));
            x += 19;
            word(look.word.toLower());
        }
    }
    if (x + 110 > viewport()->width()) return;
    p.setPen(QPen(color(Token::border), 1));
    p.setBrush(Qt::NoBrush);
    paintHatch(p, QRectF(x, top + 7, 14, 10));
    x += 19;
    word(tr("not compared yet"));
}

} // namespace divdet
