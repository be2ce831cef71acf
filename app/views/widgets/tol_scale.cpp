#include "views/widgets/tol_scale.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace divdet {
namespace {

constexpr double decades = 9;
constexpr int gridSteps = 90;

/// Through text, so that the result is the double the digits stand for.
double twoDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", value);
    return std::strtod(text, nullptr);
}

double gridValue(int index) {
    return twoDigits(std::pow(10.0, index / 10.0 - decades));
}

} // namespace

double TolScale::positionOf(double value) const {
    if (!(value > 0)) return 0;
    const double fraction = (std::log10(std::clamp(value, smallest, largest)) + decades) / decades;
    return gap + fraction * (length - gap);
}

double TolScale::valueAt(double position) const {
    if (position < gap / 2) return 0;
    const double fraction = std::clamp((position - gap) / std::max(length - gap, 1.0), 0.0, 1.0);
    return twoDigits(std::pow(10.0, fraction * decades - decades));
}

double TolScale::stepped(double value, int tenths) {
    if (tenths == 0 || (tenths > 0 && value >= largest)) return value;
    int index = -1; // the stop, and all between it and 1e-9
    if (value >= smallest) {
        index = static_cast<int>(std::lround((std::log10(value) + decades) * 10));
        const double grid = gridValue(index);
        if (tenths > 0 && grid > value) --index;
        if (tenths < 0 && grid < value) ++index;
    }
    index = std::min(index + tenths, gridSteps);
    return index < 0 ? 0 : gridValue(index);
}

} // namespace divdet
