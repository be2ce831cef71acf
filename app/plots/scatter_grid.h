#pragma once
#include <cstdint>
#include <vector>

#include "compare/histogram.h"

namespace divdet {

/// The occupied part of an ErrorHistogram for drawing on log10 axes. Exact zeros stand apart: they have no
/// place on a log axis and are drawn in a gutter.
struct ScatterGrid {
    int firstColumn = 0, columns = 0; ///< regular histogram bins, those beside the range included
    int firstRow = 0, rows = 0;
    std::vector<std::int64_t> counts;        ///< row-major, rows · columns
    std::vector<std::int64_t> zeroError;     ///< per column: elements without error
    std::vector<std::int64_t> zeroReference; ///< per row: elements whose reference is 0
    std::int64_t bothZero = 0;
    std::int64_t largest = 0; ///< of all counts above

    std::int64_t count(int column, int row) const;
    /// log10 at which a bin of the histogram starts; bins are all equally wide.
    static double columnStart(int column);
    static double rowStart(int row);
    static constexpr double kBin = 0.30102999566398120 / ErrorHistogram::kBinsPerOctave; ///< decades
};

ScatterGrid scatterGrid(const ErrorHistogram& histogram);

} // namespace divdet
