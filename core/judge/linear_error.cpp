#include "judge/linear_error.h"
#include "judge/findings.h"
#include "judge/noise.h"

#include <algorithm>
#include <cmath>

namespace divdet {
namespace {

constexpr std::int64_t kFewest = 8;
/// Error over signal below which rounding is explanation enough, in unit roundoffs.
constexpr double kRounding = 8;

} // namespace

std::optional<LinearError> linearError(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!realFloating(pair) || s.finite < kFewest || s.finite != s.elements || !s.bias) return {};
    const double error2 = s.rms * s.rms, reference2 = s.rmsReference * s.rmsReference;
    if (!(error2 > 0) || !std::isfinite(error2) || !std::isfinite(reference2)) return {};
    if (s.rms <= kRounding * unitRoundoff(pair) * s.rmsReference) return {};
    LinearError out;
    if (reference2 > 0) {
        // Least squares of c − r on r: Σ(c−r)r = (Σc² − Σr² − Σ(c−r)²)/2.
        const double slope = (s.rmsCandidate * s.rmsCandidate - reference2 - error2) / (2 * reference2);
        out.gain = 1 + slope;
        out.gainLeft = std::clamp(1 - slope * slope * reference2 / error2, 0.0, 1.0);
    }
    out.shift = *s.bias;
    out.shiftLeft = std::clamp(1 - out.shift * out.shift / error2, 0.0, 1.0);
    return out;
}

double shareExplained(const PairEvidence& pair, double gain, double shift) {
    std::int64_t counted = 0, explained = 0;
    eachRun(pair, [&](std::int64_t, auto r, auto c) {
        for (std::size_t i = 0; i < r.size(); ++i) {
            const double model = gain * r[i] + shift;
            if (c[i] == r[i] && model == r[i]) continue; // zeros under a gain
            ++counted;
            explained += std::fabs(c[i] - model) < 0.5 * std::fabs(c[i] - r[i]);
        }
        return true;
    });
    return counted ? static_cast<double>(explained) / static_cast<double>(counted) : 0;
}

bool explains(const PairEvidence& pair, double left) {
    constexpr double kMostNoise = 0.1;
    if (left <= kMostLeft) return true;
    const Summary& s = pair.summary;
    return left <= kMostNoise && std::sqrt(left) * s.rms <= noiseModel(pair).honest * s.rmsReference;
}

bool explainedAsWhole(const PairEvidence& pair) {
    if (findings::gain(pair) || findings::offset(pair)) return true;
    if (!pair.context.declared.has(LossyStep::onePassVariance)) return false;
    const auto lost = findings::cancellation(pair);
    return lost && lost->kind == FindingClass::drift;
}

} // namespace divdet
