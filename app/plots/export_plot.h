#pragma once
#include <QString>

#include "base/result.h"

class QCustomPlot;

namespace divdet {

/// Writes what a plot shows; the file's suffix says as what: .svg, .png (twice the size on screen) or .csv,
/// which gets `csv`. Errors: usage for another suffix, io when the file cannot be written.
Status exportPlot(QCustomPlot& plot, const QString& csv, const QString& path);

/// One field of a CSV line: quoted where it has to be.
QString csvField(const QString& text);
/// A number with all its digits; nan and inf as such.
QString csvNumber(double value);

} // namespace divdet
