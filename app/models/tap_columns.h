#pragma once
#include <QString>
#include <memory>
#include <vector>

#include "compare/comparison.h"

namespace divdet {

/// What one tap of one candidate shows in the matrix.
struct TapCell {
    bool compared = false;    ///< false: to come, or not in this candidate
    bool absent = false;      ///< the candidate has no such tap
    double relativeError = 0; ///< rms(c − r) / rms(r); inf when nothing finite stands against it
    Verdict verdict = Verdict::within;
    int tap = -1; ///< index in the candidate's comparison
};

/// The worse of two cells by relative error and by verdict; one still to come does not hide a bad one.
TapCell worseCell(const TapCell& a, const TapCell& b);

/// Cells of a candidate in the order of `taps`.
std::vector<TapCell> cellsOf(const std::vector<std::string>& taps, const Comparison& comparison,
                             const Judgement* judgement);

/// First tap of each of `columns` columns that share `taps` taps as evenly as can be, and one past the last.
std::vector<int> columnStarts(int taps, int columns);

/// Place of a relative error on the matrix ramp: 1e-8 … 1 on a log scale, 0 … 1.
double matrixPlace(double relativeError);

} // namespace divdet
