#include "views/widgets/flow_legend.h"
#include "gui/fonts.h"
#include "gui/theme.h"
#include "views/widgets/flow_layout.h"
#include <QPainter>

namespace divdet {
namespace {

class LegendEntry : public QWidget {
public:
    LegendEntry(LegendItem item, QWidget* parent)
        : QWidget(parent)
        , m_item(std::move(item)) {
        setFont(divdet::font(FontStep::caption));
        setAccessibleName(m_item.text);
    }
    QSize sizeHint() const override {
        return {swatchWidth(m_item.swatch) + 6 + fontMetrics().horizontalAdvance(m_item.text) + 1,
                qMax(16, fontMetrics().height())};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const int mark = swatchWidth(m_item.swatch);
        drawSwatch(painter, QRectF(0, 0, mark, height()), m_item.swatch);
        painter.setPen(color(Token::text2));
        painter.drawText(rect().adjusted(mark + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(m_item.text, Qt::ElideRight, width() - mark - 6));
    }

private:
    LegendItem m_item;
};

} // namespace

Swatch Swatch::filled(Token color) {
    return {Kind::fill, color, color};
}
Swatch Swatch::outlined(Token color, Token fill) {
    return {Kind::outline, color, fill};
}
Swatch Swatch::hatched(Token color, Token ground) {
    return {Kind::hatch, color, ground};
}
Swatch Swatch::lined(Token color, QList<qreal> dash, qreal width) {
    return {Kind::line, color, color, std::move(dash), width};
}
Swatch Swatch::marked(Marker marker, Token color) {
    Swatch swatch{Kind::marker, color, color};
    swatch.marker = marker;
    return swatch;
}
Swatch Swatch::ofPass(const QString& id, const QString& variant) {
    const PassStyle style = passStyle(id, variant);
    return {Kind::pass, style.color, style.color, style.dash, style.width, style.marker};
}

int swatchWidth(const Swatch& swatch) {
    switch (swatch.kind) {
    case Swatch::Kind::line:
    case Swatch::Kind::pass:
        return 24;
    case Swatch::Kind::marker:
        return 9;
    default:
        return 14;
    }
}

void drawSwatch(QPainter& painter, const QRectF& rect, const Swatch& swatch) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF box(0, 0, swatchWidth(swatch), 10);
    box.moveCenter(rect.center());
    const QColor ink = color(swatch.color);
    switch (swatch.kind) {
    case Swatch::Kind::fill:
    case Swatch::Kind::outline:
    case Swatch::Kind::hatch:
        painter.setPen(QPen(swatch.kind == Swatch::Kind::fill ? color(Token::border) : ink, 1));
        if (swatch.kind == Swatch::Kind::fill && swatch.color != Token::withinBg) painter.setPen(ink);
        painter.setBrush(color(swatch.fillColor));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        if (swatch.kind == Swatch::Kind::hatch) {
            painter.setClipRect(box.adjusted(1, 1, -1, -1));
            painter.setPen(QPen(ink, 1));
            for (qreal x = box.left() - box.height() + 3; x < box.right(); x += 5)
                painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
        }
        break;
    case Swatch::Kind::line:
    case Swatch::Kind::pass:
        drawPassSwatch(painter, box, {swatch.color, swatch.dash, swatch.width, swatch.marker, false});
        break;
    case Swatch::Kind::marker:
        drawMarker(painter, swatch.marker, box.center(), 7, ink);
        break;
    }
    painter.restore();
}

FlowLegend::FlowLegend(QWidget* parent)
    : QWidget(parent) {
    setLayout(new FlowLayout(nullptr, 14, 2));
    // Not Fixed: a box layout would cap the height at the hint of one row.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    hide();
}

void FlowLegend::setItems(const std::vector<LegendItem>& items) {
    for (QWidget* entry : m_entries) delete entry;
    m_entries.clear();
    for (const LegendItem& item : items) {
        auto* entry = new LegendEntry(item, this);
        m_entries.push_back(entry);
        layout()->addWidget(entry);
        entry->show(); // a child that was never shown counts as empty, and the height would be that of no row
    }
    setVisible(!items.empty());
    updateGeometry();
}

} // namespace divdet
