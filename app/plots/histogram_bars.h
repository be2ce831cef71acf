#pragma once
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "compare/signed_histogram.h"
#include "compare/ulp_spread.h"

namespace divdet {

struct HistogramBar {
    double from = 0, to = 0;  ///< symlog, on the axis
    double low = 0, high = 0; ///< in the quantity
    std::int64_t count = 0;
    std::optional<double> expected; ///< elements that a standard normal quantity would have here
};

/// What the histogram draws.
struct HistogramScene {
    enum class Quantity { z, ulps };
    Quantity quantity = Quantity::z;
    DType dtype = DType::f32;       ///< whose ulps
    std::vector<HistogramBar> bars; ///< side by side, empty ones too; no bar: nothing to show
    std::int64_t elements = 0;      ///< in the bars
    std::int64_t largestCount = 0;
    std::optional<double> rms;
    double largest = 0;         ///< largest magnitude; may be inf
    std::int64_t notFinite = 0; ///< elements that have none, and stand in no bar
    std::int64_t above = 0, below = 0;
};

/// At least −4 … 4, so that the normal curve is seen whole.
HistogramScene zScene(const SignedHistogram& z, double rms, double largest);
HistogramScene ulpScene(const UlpSpread& ulps);

/// "n 32,768 · rms z 1.02 · largest |z| 4.31"
QString histogramStatement(const HistogramScene& scene);
/// Of n standard normal magnitudes the largest is expected about here.
double expectedLargest(std::int64_t n);
/// "1.05 to 1.34", "4 to 7 ulps below", "equal"
QString barText(const HistogramScene& scene, const HistogramBar& bar);

/// Labelled places of the axis over [low, high], at least `minimumPx` apart: 0, then decades, then 2 and 5
/// between them.
struct SymlogTicks {
    std::vector<double> places;
    std::vector<QString> labels;
};
SymlogTicks symlogTicks(double low, double high, double lengthPx, double minimumPx);

} // namespace divdet
