#include "plots/density_ramp.h"
#include "gui/theme.h"
#include <cmath>

namespace divdet {

QCPColorGradient gradientOf(std::span<const Token> ramp) {
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (std::size_t i = 0; i < ramp.size(); ++i)
        gradient.setColorStopAt(static_cast<double>(i) / static_cast<double>(ramp.size() - 1),
                                color(ramp[i]));
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    return gradient;
}

double densityOf(std::int64_t count, std::int64_t largest) {
    if (count <= 0) return 0;
    constexpr double kOne = 0.22; // of the ramp, for one element
    const double most = std::log1p(static_cast<double>(largest)), one = std::log1p(1.0);
    if (most <= one) return 1;
    return kOne + (1 - kOne) * (std::log1p(static_cast<double>(count)) - one) / (most - one);
}

QColor rampColor(std::span<const Token> ramp, double t) {
    const double at = std::clamp(t, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
    return Theme::current().blend(ramp[i + 1], ramp[i], at - static_cast<double>(i));
}

QColor densityColor(std::int64_t count, std::int64_t largest) {
    return rampColor(densityRamp(), densityOf(count, largest));
}

} // namespace divdet
