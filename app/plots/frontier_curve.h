#pragma once
#include <optional>
#include <vector>

#include "compare/comparison.h"

namespace divdet {

/// One tolerance that just passes.
struct CurvePoint {
    double rtol, atol;
    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// A frontier for drawing: on an even log grid over [low, high], at every corner and close before it, and
/// dense towards the rtol from which no atol is needed. Rising in rtol, falling in atol; a point with atol 0
/// ends the curve. Empty: every tolerance passes.
std::vector<CurvePoint> sampleFrontier(const Frontier& frontier, Rule rule, double low, double high,
                                       int perDecade = 24);

/// The curve of several pairs is the largest need of each.
struct FrontierCurve {
    std::vector<CurvePoint> points;
    bool never = false;  ///< some element or pair fails at every tolerance
    bool always = false; ///< every tolerance passes
};
/// The frontier of a comparison's judged pairs, under the rule and the NaN setting of `t`.
FrontierCurve judgedCurve(const Comparison& comparison, const Tolerance& t, double low, double high);
FrontierCurve pairCurve(const TapPair& pair, const Tolerance& t, double low, double high);

/// atol of the drawn curve at an rtol, by straight lines between points on log axes; none outside its points
/// or where no atol is needed.
std::optional<double> curveAtol(const std::vector<CurvePoint>& points, double rtol);

/// Whether two drawn curves lie within `decades` of each other wherever both are drawn, and end alike.
bool sameCurve(const std::vector<CurvePoint>& a, const std::vector<CurvePoint>& b, double decades);

} // namespace divdet
