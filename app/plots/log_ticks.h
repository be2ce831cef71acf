#pragma once
#include <QString>
#include <QVector>

namespace divdet {

/// Ticks of a log axis whose coordinate is log10 of the value.
struct LogTicks {
    QVector<double> major; ///< labelled
    QStringList labels;    ///< parallel to major
    QVector<double> minor;
};

/// Labels every n-th decade so that labelled ticks are at least `minimumPx` apart on an axis of `lengthPx`.
/// Below one and a half decades 1, 2 and 5 of every decade are labelled, below 0.3 decades evenly spaced
/// values. Ticks may lie one step outside [low, high].
LogTicks logTicks(double low, double high, double lengthPx, double minimumPx);

/// log10 with everything that cannot be shown (0, NaN) at `floor`, and infinities at 400.
double logOr(double value, double floor);

} // namespace divdet
