#include "base/rounded_up.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace divdet {

double roundedUp(double x, int digits) {
    if (x == 0) return 0;
    const auto parse = [&](double mantissa, int exponent) {
        return std::strtod(fmt::format("{:.0f}e{}", mantissa, exponent).c_str(), nullptr);
    };
    const int exponent = static_cast<int>(std::floor(std::log10(x))) - digits + 1;
    double mantissa = std::floor(x / std::pow(10.0, exponent)) - 1;
    if (!std::isfinite(mantissa)) mantissa = 0; // below the smallest normal numbers
    while (parse(mantissa, exponent) < x) ++mantissa;
    return parse(mantissa, exponent);
}

} // namespace divdet
