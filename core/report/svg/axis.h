#pragma once
#include <string>
#include <vector>

namespace divdet::svg {

struct Tick {
    double value;
    std::string label;
};

/// A linear or logarithmic scale from values to pixels. A range that is empty, not finite or, for a log
/// scale, not positive is widened to one that can be drawn.
class Axis {
public:
    enum class Kind { linear, whole, log }; ///< whole: linear, marked at whole numbers only
    Axis(Kind kind, double low, double high, double pixelLow, double pixelHigh);

    double low() const { return m_low; }
    double high() const { return m_high; }
    double pixelLow() const { return m_pixelLow; }
    double pixelHigh() const { return m_pixelHigh; }
    /// Pixel of a value; clamped to the ends. NaN goes to the low end, as 0 does on a log scale.
    double operator()(double value) const;
    bool holds(double value) const { return value >= m_low && value <= m_high; }

    /// At most `most` labelled ticks: whole powers of ten, or steps of 1, 2 or 5.
    std::vector<Tick> ticks(int most = 7) const;
    /// A log scale shorter than two decades is labelled at 1, 2 and 5 of each.
    bool isLog() const { return m_kind == Kind::log; }

private:
    Kind m_kind;
    double m_low, m_high, m_pixelLow, m_pixelHigh;
};

} // namespace divdet::svg
