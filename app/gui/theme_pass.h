#pragma once
#include "gui/theme_tokens.h"
#include <QList>
#include <QPen>
#include <QString>

class QPainter;

namespace divdet {

enum class Marker { none, disc, square, diamond, triangleUp, triangleDown, cross, plus };

/// How one pass looks everywhere: dock swatch, legend, curve and label. Drift is cool, round or square and
/// 1.8 px; a bug is warm, triangular or crossed and 2.6 px.
struct PassStyle {
    Token color = Token::passGrey;
    QList<qreal> dash; ///< in px, empty = solid
    qreal width = 1.8; ///< in px
    Marker marker = Marker::disc;
    bool bug = false;

    /// Flat caps; the dash lengths stay px whatever the width.
    QPen pen() const;
};

/// `id` as in passes.def ("int8", "split-k-bf16"), `variant` the part after "=" where the style depends on
/// it ("wrong-accumulator", "bf16"); "wrong-accumulator=bf16" in `id` works too. `allTogetherId` is the sum
/// of all passes. An unknown id gets grey solid discs.
PassStyle passStyle(const QString& id, const QString& variant = {});
inline const QString allTogetherId = QStringLiteral("all together");

/// Fills (or strokes, for cross and plus) a marker of `size` px around `centre`.
void drawMarker(QPainter& painter, Marker marker, QPointF centre, qreal size, const QColor& color);

/// A line of the pass's pen through the middle of `rect` with its marker in the centre.
void drawPassSwatch(QPainter& painter, const QRectF& rect, const PassStyle& style);

} // namespace divdet
