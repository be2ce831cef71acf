#pragma once
#include <QRectF>
#include <QVector>
#include <vector>

namespace divdet {

/// A text that wants to stand at one of several places, best first.
struct LabelWish {
    QVector<QRectF> places;
    int priority = 0; ///< higher ones choose first; equal ones in the order given
};

/// For each label the chosen place, or a null rectangle when every place lies outside `area` or would touch
/// an earlier label or an obstacle.
std::vector<QRectF> placeLabels(const std::vector<LabelWish>& wishes, const QRectF& area,
                                const QVector<QRectF>& obstacles = {});

/// The places of a curve's label of `size`: above and below the curve at its left end, then further along.
/// `curve` is in pixels, left to right; `gap` px lie between text and curve.
QVector<QRectF> curveLabelPlaces(const QVector<QPointF>& curve, const QSizeF& size, const QRectF& area,
                                 double gap);

} // namespace divdet
