#include "judge/structure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "judge/median.h"
#include "judge/smooth_error.h"

namespace divdet {
namespace {

constexpr std::int64_t kSliceElements = 8;
constexpr double kSliceRatio = 6, kElementRatio = 12;
constexpr double kMedianOfNormal = 0.6745;
constexpr double kDense = 0.25; ///< share of the elements that differ
constexpr std::size_t kFewestRandom = 64;
constexpr double kAlike = 0.6;
constexpr std::size_t kMedianOf = 1 << 14;
constexpr double kDirected = 6, kDirectedShare = 0.1;

/// Error of the elements' neighbours along an axis, as likeness() has it; only over those in the sample.
double alikeAlong(const PairSample& s, const Shape& shape, std::size_t axis) {
    std::int64_t below = 1;
    for (std::size_t a = axis + 1; a < shape.size(); ++a) below *= shape[a];
    double along = 0, all = 0;
    for (std::size_t i = 0; i < s.index.size(); ++i) {
        const double e = s.c[i] - s.r[i];
        if (!std::isfinite(e)) continue;
        all += e * e;
        if (s.index[i] / below % shape[axis] + 1 == shape[axis]) continue;
        // Indices ascend: a complete sample has the neighbour `below` places on.
        const std::size_t j = i + static_cast<std::size_t>(below);
        if (j >= s.index.size() || s.index[j] != s.index[i] + below) continue;
        const double next = s.c[j] - s.r[j];
        if (std::isfinite(next)) along += e * next;
    }
    return all > 0 ? std::fabs(along) / all : 0;
}

/// Size that an element's slices give it: the product over the axes of the slice's rms over that of all.
std::vector<double> separableScale(const PairSample& s, const Shape& shape) {
    std::vector<double> out(s.index.size(), 1.0);
    const double all = s.all.rmsReference();
    std::int64_t below = 1;
    for (std::size_t axis = shape.size(); axis-- > 0; below *= shape[axis])
        for (std::size_t i = 0; i < out.size(); ++i) {
            const SliceSums& slice = s.axes[axis][static_cast<std::size_t>(s.index[i] / below % shape[axis])];
            if (slice.n >= kSliceElements && all > 0) out[i] *= slice.rmsReference() / all;
        }
    return out;
}

} // namespace

bool evenOverSlices(const PairEvidence& pair) {
    const NoiseModel noise = noiseModel(pair);
    const PairSample& sample = pair.sample();
    const double floor = noise.working * sample.all.rmsReference();
    for (const auto& axis : sample.axes) {
        std::vector<double> absolute, relative;
        for (const SliceSums& s : axis) {
            if (s.nonFinite > 0) return false;
            if (s.n < kSliceElements) continue;
            absolute.push_back(s.rmsError());
            relative.push_back(s.rmsReference() > 0   ? s.rmsError() / s.rmsReference()
                               : s.rmsError() > floor ? INFINITY
                                                      : 0);
        }
        if (absolute.size() < 4) continue;
        const double a = medianOf(absolute), r = medianOf(relative);
        for (std::size_t i = 0; i < absolute.size(); ++i)
            if (absolute[i] > floor && relative[i] > noise.working && absolute[i] > kSliceRatio * a &&
                relative[i] > kSliceRatio * r)
                return false;
    }
    return true;
}

bool noOutliers(const PairEvidence& pair) {
    const PairSample& s = pair.sample();
    const std::vector<double> scales = separableScale(s, pair.reference.shape);
    // Absolute, relative to the element, and relative to its slices: an error is one that stands out in each.
    std::array<std::vector<double>, 3> sizes;
    const auto measures = [&](std::size_t i) {
        const double e = std::fabs(s.c[i] - s.r[i]);
        return std::array<double, 3>{e, e / std::fabs(s.r[i]), e / scales[i]};
    };
    const std::size_t stride = std::max<std::size_t>(1, s.r.size() / kMedianOf);
    for (std::size_t i = 0; i < s.r.size(); i += stride) {
        const auto m = measures(i);
        for (std::size_t k = 0; k < 3; ++k)
            if (m[k] > 0 && std::isfinite(m[k])) sizes[k].push_back(m[k]);
    }
    std::array<double, 3> most;
    for (std::size_t k = 0; k < 3; ++k)
        most[k] = kElementRatio * medianOf(std::move(sizes[k])) / kMedianOfNormal;
    for (std::size_t i = 0; i < s.r.size(); ++i) {
        const auto m = measures(i);
        if (m[0] > most[0] && m[1] > most[1] && m[2] > most[2]) return false;
    }
    return true;
}

bool looksRandom(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    const PairSample& sample = pair.sample();
    if (sample.r.size() < kFewestRandom || !s.bias) return false;
    if (static_cast<double>(sample.all.differ) < kDense * static_cast<double>(sample.all.n)) return false;
    if (std::fabs(*s.bias) > kDirected * s.biasError && std::fabs(*s.bias) > kDirectedShare * s.rms)
        return false;
    const Shape& shape = pair.reference.shape;
    double least = 1;
    for (std::size_t a = 0; a < shape.size(); ++a)
        if (shape[a] > 1) least = std::min(least, alikeAlong(sample, shape, a));
    return least < kAlike && !smoothInInput(pair);
}

} // namespace divdet
