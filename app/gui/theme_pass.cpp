#include "gui/theme_pass.h"
#include "gui/theme.h"
#include <QPainter>
#include <QPolygonF>
#include <initializer_list>

namespace divdet {
namespace {

enum class Dash { solid, dashed, dotted, dashDot, longDash };

struct Row {
    const char* id;
    Token color;
    Dash dash;
    Marker marker;
    qreal width;
};

constexpr qreal driftWidth = 1.8;
constexpr qreal bugWidth = 2.6;

constexpr Row rows[] = {
    {"all together", Token::passInk, Dash::solid, Marker::disc, 2.4},
    {"reassociate", Token::passBlue, Dash::solid, Marker::disc, driftWidth},
    {"fuse", Token::passBlue, Dash::dashed, Marker::disc, driftWidth},
    {"atomics", Token::passBlue, Dash::dotted, Marker::disc, driftWidth},
    {"tf32", Token::passCyan, Dash::dashed, Marker::square, driftWidth},
    {"bf16", Token::passCyan, Dash::solid, Marker::square, driftWidth},
    {"fp16", Token::passCyan, Dash::dotted, Marker::square, driftWidth},
    {"fp8", Token::passCyan, Dash::dashDot, Marker::square, driftWidth},
    {"int8", Token::passViolet, Dash::dashDot, Marker::diamond, driftWidth},
    {"int4-weights", Token::passViolet, Dash::dashed, Marker::diamond, driftWidth},
    {"gelu-tanh", Token::passGrey, Dash::dotted, Marker::disc, driftWidth},
    {"fast-math", Token::passGrey, Dash::dashed, Marker::disc, driftWidth},
    {"one-pass-variance", Token::passGrey, Dash::dashDot, Marker::disc, driftWidth},
    {"flush-to-zero", Token::passGrey, Dash::solid, Marker::disc, driftWidth},
    {"wrong-accumulator=bf16", Token::passVermilion, Dash::solid, Marker::triangleUp, bugWidth},
    {"split-k-bf16", Token::passVermilion, Dash::longDash, Marker::triangleUp, bugWidth},
    {"fp16-overflow", Token::passVermilion, Dash::dotted, Marker::triangleUp, bugWidth},
    {"dropped-tail", Token::passVermilion, Dash::dashDot, Marker::triangleUp, bugWidth},
    {"wrong-accumulator=fp16", Token::passMagenta, Dash::longDash, Marker::triangleDown, bugWidth},
    {"wrong-scale", Token::passMagenta, Dash::solid, Marker::triangleDown, bugWidth},
    {"clip-calibration", Token::passMagenta, Dash::dashDot, Marker::triangleDown, bugWidth},
    {"double-scale", Token::passMagenta, Dash::dotted, Marker::triangleDown, bugWidth},
    {"mask-off-by-one", Token::passBrown, Dash::solid, Marker::cross, bugWidth},
    {"masked-row-nan", Token::passBrown, Dash::longDash, Marker::cross, bugWidth},
    {"swapped-weight", Token::passBrown, Dash::dashDot, Marker::cross, bugWidth},
    {"race", Token::passBrown, Dash::dotted, Marker::cross, bugWidth},
    {"stale-buffer", Token::passBrown, Dash::longDash, Marker::plus, bugWidth},
    {"crash", Token::passBrown, Dash::solid, Marker::plus, bugWidth},
};

QList<qreal> dashLengths(Dash dash) {
    switch (dash) {
    case Dash::dashed:
        return {6, 3};
    case Dash::dotted:
        return {2, 2.5};
    case Dash::dashDot:
        return {9, 3, 2, 3};
    case Dash::longDash:
        return {7, 3};
    case Dash::solid:
        break;
    }
    return {};
}

const Row* findRow(const QString& key) {
    for (const Row& row : rows)
        if (key == QLatin1String(row.id)) return &row;
    return nullptr;
}

QPolygonF polygon(QPointF centre, qreal radius, std::initializer_list<QPointF> corners) {
    QPolygonF shape;
    for (const QPointF& corner : corners) shape << centre + corner * radius;
    return shape;
}

} // namespace

PassStyle passStyle(const QString& id, const QString& variant) {
    const Row* row = variant.isEmpty() ? nullptr : findRow(id + QLatin1Char('=') + variant);
    if (!row) row = findRow(id);
    if (!row && id == QLatin1String("wrong-accumulator")) row = findRow(id + QLatin1String("=bf16"));
    if (!row) return {};
    return {row->color, dashLengths(row->dash), row->width, row->marker, row->width == bugWidth};
}

QPen PassStyle::pen() const {
    QPen pen(divdet::color(color), width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (dash.isEmpty()) return pen;
    QList<qreal> pattern = dash;
    for (qreal& length : pattern) length /= width; // QPen counts dashes in pen widths
    pen.setDashPattern(pattern);
    return pen;
}

void drawMarker(QPainter& painter, Marker marker, QPointF centre, qreal size, const QColor& color) {
    const qreal r = size / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (marker) {
    case Marker::none:
        break;
    case Marker::disc:
        painter.drawEllipse(centre, r, r);
        break;
    case Marker::square:
        painter.drawRect(QRectF(centre.x() - r, centre.y() - r, size, size));
        break;
    case Marker::diamond:
        painter.drawPolygon(polygon(centre, r * 1.25, {{0, -1}, {1, 0}, {0, 1}, {-1, 0}}));
        break;
    case Marker::triangleUp:
        painter.drawPolygon(polygon(centre, r * 1.2, {{0, -1}, {1, 0.8}, {-1, 0.8}}));
        break;
    case Marker::triangleDown:
        painter.drawPolygon(polygon(centre, r * 1.2, {{0, 1}, {1, -0.8}, {-1, -0.8}}));
        break;
    case Marker::cross:
    case Marker::plus: {
        painter.setPen(QPen(color, 2, Qt::SolidLine, Qt::RoundCap));
        const bool plus = marker == Marker::plus;
        const QPointF one = plus ? QPointF(r, 0) : QPointF(r, r);
        const QPointF two = plus ? QPointF(0, r) : QPointF(r, -r);
        painter.drawLine(centre - one, centre + one);
        painter.drawLine(centre - two, centre + two);
        break;
    }
    }
    painter.restore();
}

void drawPassSwatch(QPainter& painter, const QRectF& rect, const PassStyle& style) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(style.pen());
    const qreal y = rect.center().y();
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    painter.restore();
    drawMarker(painter, style.marker, rect.center(), 6, color(style.color));
}

} // namespace divdet
