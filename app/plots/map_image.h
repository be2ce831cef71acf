#pragma once
#include <QImage>
#include <QString>

#include "compare/error_map.h"

namespace divdet {

/// What the colours of a map mean: log10 of the value from the dark end to the light one.
struct MapScale {
    double low = -6, high = 0; ///< log10
    bool empty = true;         ///< no cell with a finite value above 0
};
/// Up to the largest value, from that which all but one in fifty cells exceed: a few lucky elements would
/// take the colours from all others. At most eight decades and at least half of one; of a tolerance's measure
/// 1, where elements begin to fail, lies inside.
MapScale mapScale(const ErrorMap& map);

/// Colour place of a value, 0 … 1; zero is the dark end.
double mapPlace(const MapScale& scale, double value);

/// One pixel per cell in the colours of the theme: cividis, NaN and infinities in colours of their own, and
/// see-through where everything is masked.
QImage mapImage(const ErrorMap& map, const MapScale& scale);

/// Cells put together by their worst ones, for a picture with fewer pixels than cells: nearest neighbours
/// would hide some.
ErrorMap coarser(const ErrorMap& map, int rowFactor, int columnFactor);

/// "|c − r|", "|c − r| / |r|", "share of the tolerance"
QString measureText(MapMeasure measure);

/// "rows dim 1 · columns dim 2 · at [3, ·, ·]"; "one row" where there is no dim.
QString sliceText(const MapSlice& slice);

} // namespace divdet
