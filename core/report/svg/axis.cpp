#include "report/svg/axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"

namespace divdet::svg {
namespace {

constexpr double kFarthest = 1e300, kNearest = 1e-300; // room for arithmetic beyond the ends

std::string label(double x) { // as a step was added up, the last digits are noise
    return toleranceText(std::stod(fmt::format("{:.9g}", x)));
}

} // namespace

Axis::Axis(Kind kind, double low, double high, double pixelLow, double pixelHigh)
    : m_kind(kind)
    , m_low(low)
    , m_high(high)
    , m_pixelLow(pixelLow)
    , m_pixelHigh(pixelHigh) {
    const bool log = kind == Kind::log;
    if (!std::isfinite(m_low) || (log && m_low <= 0)) m_low = log ? 1e-12 : 0;
    if (!std::isfinite(m_high)) m_high = kFarthest;
    m_low = std::clamp(m_low, log ? kNearest : -kFarthest, kFarthest);
    m_high = std::clamp(m_high, log ? kNearest : -kFarthest, kFarthest);
    if (m_high > m_low) return;
    if (log) {
        m_high = std::min(kFarthest, m_low * 10);
        m_low = m_high / 100;
    } else {
        m_high = m_low + std::max(1.0, std::fabs(m_low) * 1e-3);
    }
}

double Axis::operator()(double value) const {
    if (!(value > m_low)) return m_pixelLow;
    if (value >= m_high) return m_pixelHigh;
    const double t = m_kind == Kind::log
                         ? (std::log10(value) - std::log10(m_low)) / (std::log10(m_high) - std::log10(m_low))
                         : (value - m_low) / (m_high - m_low);
    return m_pixelLow + std::clamp(t, 0.0, 1.0) * (m_pixelHigh - m_pixelLow);
}

std::vector<Tick> Axis::ticks(int most) const {
    std::vector<Tick> out;
    if (m_kind != Kind::log) {
        const double rough = (m_high - m_low) / std::max(1, most - 1);
        const double decade = std::pow(10.0, std::floor(std::log10(rough)));
        double step = 10 * decade;
        for (double m : {5.0, 2.0, 1.0})
            if (m * decade >= rough * (1 - 1e-9)) step = m * decade;
        if (m_kind == Kind::whole) step = std::max(step, 1.0);
        const double first = std::ceil(m_low / step - 1e-9);
        for (int i = 0; i <= most; ++i) {
            const double v = (first + i) * step;
            if (v > m_high + step * 1e-9) break;
            out.push_back({v, label(std::fabs(v) < step * 1e-9 ? 0 : v)});
        }
        return out;
    }
    const int first = static_cast<int>(std::ceil(std::log10(m_low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(m_high) + 1e-9));
    const int decades = last - first;
    if (decades < 2) {
        for (int e = first - 1; e <= last; ++e)
            for (double m : {1.0, 2.0, 5.0})
                if (const double v = m * std::pow(10.0, e);
                    v >= m_low * (1 - 1e-9) && v <= m_high * (1 + 1e-9))
                    out.push_back({v, shortNumber(v)});
        if (out.size() <= static_cast<std::size_t>(most)) return out;
        out.clear();
    }
    int step = 1;
    while (decades / step + 1 > most) ++step;
    // Counted from zero, so that plots beside each other carry the same marks.
    int e = first >= 0 ? (first + step - 1) / step * step : -(-first / step * step);
    for (; e <= last; e += step) out.push_back({std::pow(10.0, e), "1e" + std::to_string(e)});
    if (out.empty()) out = {{m_low, shortNumber(m_low)}, {m_high, shortNumber(m_high)}};
    return out;
}

} // namespace divdet::svg
