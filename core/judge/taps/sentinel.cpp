#include "judge/taps/sentinel.h"

#include <limits>
#include <vector>

namespace divdet {
namespace {

constexpr double kFarOutside = 100; ///< times the lower quartile of the magnitudes that are not zero
constexpr double kGap = 10;         ///< between a sentinel and everything else

} // namespace

double sentinelFrom(const Summary& s) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (s.histogram.empty() || !(s.maxMagnitude > 0)) return kNone;
    std::vector<std::int64_t> counts(ErrorHistogram::kColumns);
    std::int64_t nonZero = 0;
    for (int c = 1; c < ErrorHistogram::kColumns; ++c) {
        for (int r = 0; r < ErrorHistogram::kRows; ++r)
            counts[static_cast<std::size_t>(c)] += s.histogram.count(c, r);
        nonZero += counts[static_cast<std::size_t>(c)];
    }
    int quartile = 1;
    for (std::int64_t below = 0; quartile < ErrorHistogram::kColumns; ++quartile) {
        below += counts[static_cast<std::size_t>(quartile)];
        if (4 * below >= nonZero) break;
    }
    const double from = kFarOutside * ErrorHistogram::columnRange(quartile).second;
    int last = ErrorHistogram::kColumns - 1; // of the largest values
    while (last > quartile && counts[static_cast<std::size_t>(last)] == 0) --last;
    // One value may lie across the edge of two bins.
    int first = last;
    if (counts[static_cast<std::size_t>(last) - 1] > 0) --first;
    const double low = ErrorHistogram::columnRange(first).first;
    if (low < from) return kNone;
    for (int c = first - 1; c > quartile && ErrorHistogram::columnRange(c).second > low / kGap; --c)
        if (counts[static_cast<std::size_t>(c)] > 0) return kNone;
    return low;
}

} // namespace divdet
