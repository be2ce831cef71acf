#include "plots/window.h"
#include "gui/theme_pass.h"
#include "plots/pass_text.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace divdet {
std::optional<ToleranceWindow> linkedWindow(double drift, double bug) {
    constexpr double kLow = 1e-9, kHigh = 1;
    const double low = std::max(drift, kLow), high = std::min(bug, kHigh);
    if (!std::isfinite(low) || std::isnan(bug) || !(low < high)) return std::nullopt;
    const double middle = std::sqrt(low * high);
    return ToleranceWindow{low, high, middle, linkedAtol(middle)};
}

std::vector<BugWindow> bugWindows(const LiveResult& live, const Tolerance& t) {
    double drift = 0;
    QString worst;
    bool anyBugOn = false;
    std::vector<BugWindow> on, landmarks;
    for (const PassAlone& alone : live.alone) {
        if (!alone.comparison) continue;
        const double needs = neededRtolLinked(*alone.comparison, t);
        if (isBug(alone.choice)) {
            anyBugOn = anyBugOn || alone.enabled;
            (alone.enabled ? on : landmarks).push_back({alone.choice, alone.enabled, {}, 0, needs, {}});
        } else if (alone.enabled && (worst.isEmpty() || needs > drift)) {
            drift = needs;
            worst = QString::fromStdString(alone.choice.id);
        }
    }
    if (!anyBugOn && live.together) {
        // A sum of several passes may need more than each; without a bug in it, it is drift too.
        const double needs = neededRtolLinked(*live.together, t);
        if (needs > drift * 1.000001) {
            drift = needs;
            worst = allTogetherId;
        }
    }
    on.insert(on.end(), landmarks.begin(), landmarks.end());
    for (BugWindow& w : on) {
        w.worstDrift = worst;
        w.driftNeeds = drift;
        w.window = linkedWindow(drift, w.bugNeeds);
    }
    return on;
}

const BugWindow* chosenWindow(const std::vector<BugWindow>& windows) {
    for (const BugWindow& w : windows)
        if (w.window) return &w;
    return windows.empty() ? nullptr : &windows.front();
}

std::vector<CurvePoint> lowerEnvelope(const std::vector<std::vector<CurvePoint>>& curves) {
    std::vector<double> at;
    for (const auto& curve : curves)
        for (const CurvePoint& p : curve) at.push_back(p.rtol);
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    std::vector<CurvePoint> out;
    for (const double rtol : at) {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& curve : curves) {
            if (curve.empty() || rtol < curve.front().rtol) continue;
            // Past its last point a curve that ends at atol 0 needs none, another one goes on.
            const double beyond = curve.back().atol > 0 ? curve.back().atol : 0;
            least = std::min(least, rtol > curve.back().rtol ? beyond : curveAtol(curve, rtol).value_or(0));
        }
        out.push_back({rtol, least});
        if (least == 0) break;
    }
    return out;
}

std::vector<CurvePoint> upperEnvelope(const std::vector<const std::vector<CurvePoint>*>& curves) {
    std::vector<double> at;
    for (const auto* curve : curves)
        for (const CurvePoint& p : *curve) at.push_back(p.rtol);
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    std::vector<CurvePoint> out;
    for (double rtol : at) {
        double most = 0;
        for (const auto* curve : curves) most = std::max(most, curveAtol(*curve, rtol).value_or(0));
        out.push_back({rtol, most});
        if (most == 0) break;
    }
    return out;
}

} // namespace divdet
