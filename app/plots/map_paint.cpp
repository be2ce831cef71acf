// How MapPlot draws; pixels are known here.
#include <algorithm>
#include <cmath>

#include "gui/fonts.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include "plots/density_ramp.h"
#include "plots/map_plot.h"
#include "plots/paint_item.h"

namespace divdet {

const QImage& MapPlot::imageFor(QSizeF whole) const {
    const auto factor = [](int cells, double pixels) {
        return std::max(1, static_cast<int>(std::ceil(cells / std::max(1.0, pixels))));
    };
    const QSize wanted(factor(m_map->columns, whole.width()), factor(m_map->rows, whole.height()));
    if (wanted != m_factor) {
        m_factor = wanted;
        const bool all = wanted == QSize(1, 1);
        m_image = mapImage(all ? *m_map : coarser(*m_map, wanted.height(), wanted.width()), m_scale);
    }
    return m_image;
}

void MapPlot::paintCells(QPainter& p) const {
    if (!m_map) return;
    const QRectF slice(pixel(-0.5, -0.5), pixel(static_cast<double>(m_map->width) - 0.5,
                                                static_cast<double>(m_map->height) - 0.5));
    const QImage& image = imageFor(slice.size());
    // The last cells may stand for fewer elements than the others: the picture is wider than the slice.
    const auto wide = static_cast<double>(image.width() * m_factor.width() * m_map->columnsPerCell);
    const auto high = static_cast<double>(image.height() * m_factor.height() * m_map->rowsPerCell);
    const QRectF whole(pixel(-0.5, -0.5), pixel(wide - 0.5, high - 0.5));
    p.save();
    p.setClipRect(slice, Qt::IntersectClip);
    p.setRenderHint(QPainter::SmoothPixmapTransform, false);
    p.drawImage(whole, image);
    p.restore();
}

void MapPlot::paintRing(QPainter& p) const {
    const auto at = selectedPlace();
    if (!at) return;
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    const QPointF centre = place(at->y(), at->x());
    p.setPen(QPen(color(Token::plot), 4));
    p.drawEllipse(centre, 7, 7);
    p.setPen(QPen(color(Token::accent), 2));
    p.drawEllipse(centre, 7, 7);
}

void MapPlot::paintScale(QPainter& p) const {
    if (!m_map) {
        p.setFont(divdet::font(FontStep::body));
        p.setPen(color(Token::text2));
        p.drawText(QRectF(rect()).adjusted(24, 16, -24, -16), Qt::AlignCenter | Qt::TextWordWrap, m_problem);
        return;
    }
    constexpr double kWidth = 10, kGap = 12, kScaleText = 46;
    const QRectF box = area();
    const QRectF bar(box.right() + kGap, box.top(), kWidth, box.height());
    const QFont f = divdet::font(FontStep::tick);
    p.setFont(f);
    p.setRenderHint(QPainter::Antialiasing, false); // lines of one colour each would let the ground through
    if (m_scale.empty) {
        p.fillRect(bar, rampColor(heatRamp(), 0));
        p.setPen(color(Token::text2));
        p.drawText(QRectF(bar.right() + 5, bar.bottom() - 16, 50, 16), Qt::AlignVCenter, QStringLiteral("0"));
        return;
    }
    for (int y = 0; y < static_cast<int>(bar.height()); ++y)
        p.fillRect(QRectF(bar.left(), bar.top() + y, kWidth, 1), rampColor(heatRamp(), 1 - y / bar.height()));
    p.setPen(color(Token::border));
    p.setBrush(Qt::NoBrush);
    p.drawRect(bar);
    const auto label = [&](double log, const QString& words, Token ink) {
        const double y = bar.bottom() - bar.height() * (log - m_scale.low) / (m_scale.high - m_scale.low);
        const double top = std::clamp(y - 8, bar.top(), bar.bottom() - 16);
        p.setPen(color(ink));
        p.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3, y));
        p.drawText(QRectF(bar.right() + 5, top, kScaleText, 16), Qt::AlignVCenter, words);
    };
    label(m_scale.high, num::shortError(std::pow(10, m_scale.high)), Token::text2);
    label(m_scale.low, num::shortError(std::pow(10, m_scale.low)), Token::text2);
    // Where elements begin to fail.
    if (m_map->measure == MapMeasure::bound) label(0, QStringLiteral("1"), Token::outsideFg);
}

} // namespace divdet
