#include "plots/scatter_grid.h"
#include <algorithm>

namespace divdet {

std::int64_t ScatterGrid::count(int column, int row) const {
    if (column < 0 || row < 0 || column >= columns || row >= rows) return 0;
    return counts[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
}

double ScatterGrid::columnStart(int column) {
    return 2 * kBin * ErrorHistogram::kMagnitudeLow + (column - 2) * kBin;
}

double ScatterGrid::rowStart(int row) {
    return 2 * kBin * ErrorHistogram::kErrorLow + (row - 2) * kBin;
}

ScatterGrid scatterGrid(const ErrorHistogram& histogram) {
    ScatterGrid grid;
    if (histogram.empty()) return grid;
    int left = ErrorHistogram::kColumns, right = 0, low = ErrorHistogram::kRows, high = 0;
    for (int r = 0; r < ErrorHistogram::kRows; ++r)
        for (int c = 0; c < ErrorHistogram::kColumns; ++c) {
            if (histogram.count(c, r) == 0) continue;
            if (c > 0) left = std::min(left, c), right = std::max(right, c);
            if (r > 0) low = std::min(low, r), high = std::max(high, r);
        }
    grid.firstColumn = left;
    grid.columns = std::max(0, right - left + 1);
    grid.firstRow = low;
    grid.rows = std::max(0, high - low + 1);
    for (int r = 0; r < grid.rows; ++r) {
        for (int c = 0; c < grid.columns; ++c) grid.counts.push_back(histogram.count(left + c, low + r));
        grid.zeroReference.push_back(histogram.count(0, low + r));
    }
    for (int c = 0; c < grid.columns; ++c) grid.zeroError.push_back(histogram.count(left + c, 0));
    grid.bothZero = histogram.count(0, 0);
    grid.largest = grid.bothZero;
    for (const auto* list : {&grid.counts, &grid.zeroError, &grid.zeroReference})
        for (std::int64_t n : *list) grid.largest = std::max(grid.largest, n);
    return grid;
}

} // namespace divdet
