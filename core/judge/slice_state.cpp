#include "judge/slice_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace divdet {
namespace {

/// Between noise and a sure error there is a gap of this factor, or it is no edge.
constexpr double kGap = 16;

} // namespace

ErrorLimits errorLimits(const PairEvidence& pair) {
    const NoiseModel noise = noiseModel(pair);
    if (!realFloating(pair)) return {};
    double size = typicalSize(pair.sample());
    if (size == 0) size = pair.summary.rmsReference;
    return {std::max(noise.bad, 8 * noise.honest) * size,
            std::max(noise.bad / kGap, 4 * noise.honest) * size};
}

std::vector<SliceState> sliceStates(const PairEvidence& pair, std::size_t axis) {
    const NoiseModel noise = noiseModel(pair);
    const ErrorLimits limits = errorLimits(pair);
    std::vector<SliceState> out;
    for (const SliceSums& s : pair.sample().axes[axis]) {
        const double e = s.rmsError();
        if (s.n + s.nonFinite == 0)
            out.push_back(SliceState::empty);
        else if (s.nonFinite > 0 || (e > noise.bad * s.rmsReference() && e > limits.wrong / kGap))
            out.push_back(SliceState::bad);
        else
            out.push_back(s.maxError <= std::max(limits.clean, noise.bad / kGap * s.rmsReference())
                              ? SliceState::clean
                              : SliceState::between);
    }
    return out;
}

bool anySliceOff(const PairEvidence& pair, double share) {
    const PairSample& s = pair.sample();
    const auto off = [&](const SliceSums& slice) {
        return slice.nonFinite > 0 || slice.maxError > share * slice.maxReference;
    };
    if (off(s.all)) return true;
    return std::any_of(s.axes.begin(), s.axes.end(),
                       [&](const auto& axis) { return std::any_of(axis.begin(), axis.end(), off); });
}

double errorAt(const PairSample& sample, std::size_t i) {
    const double r = sample.r[i], c = sample.c[i];
    if (r == c || (std::isnan(r) && std::isnan(c))) return 0;
    const double e = std::fabs(c - r);
    return std::isfinite(e) ? e : std::numeric_limits<double>::infinity();
}

} // namespace divdet
