#include "judge/gaussian_tail.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace divdet {

double upperTail(double x) {
    return 0.5 * std::erfc(x / std::numbers::sqrt2);
}

double upperTailIntegral(double x) {
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    // The difference of two nearly equal numbers far out; there the first terms of its own series hold.
    if (const double t = 1 / (x * x); x > 12) return density * t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t)));
    return std::max(0.0, density - x * upperTail(x));
}

double deviationsFor(double p, std::int64_t n) {
    const double each = p / (2 * static_cast<double>(std::max<std::int64_t>(1, n)));
    double low = 0, high = 40; // the tail at 40 is below the smallest normal number
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (upperTail(middle) > each ? low : high) = middle;
    }
    return high;
}

} // namespace divdet
