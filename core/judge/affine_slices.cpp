#include "judge/affine_slices.h"

#include <algorithm>
#include <cmath>

#include "judge/linear_error.h"
#include "judge/noise.h"

namespace divdet {
namespace {

constexpr std::int64_t kFewest = 6; ///< elements of a slice: two of them fit anything
constexpr double kFits = 0.9;       ///< share of the wrong slices
constexpr double kMostLeftOfSpread = 0.1;
constexpr double kOneGain = 1e-3; ///< relative spread of gains that are one

/// A gain that honest steps can make: rounding one operand of a short product moves a whole channel.
double leastGain(const PairEvidence& pair) {
    const NoiseModel noise = noiseModel(pair);
    const Declared& d = pair.context.declared;
    const double operand = std::max({noise.unit, d.operandRoundoff(pair.context.op.op), 0x1p-11});
    return d.int8() ? std::max(4 * operand, 0.02) : 4 * operand;
}

} // namespace

AffineSlices affineSlices(const PairEvidence& pair, std::size_t axis) {
    AffineSlices out;
    const NoiseModel noise = noiseModel(pair);
    const double least = leastGain(pair);
    const auto& slices = pair.sample().axes[axis];
    out.slices = static_cast<std::int64_t>(slices.size());
    std::int64_t explained = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const SliceSums& s = slices[i];
        const double size = s.rmsReference(), e = s.rmsError();
        if (s.n < kFewest || s.nonFinite > 0 || !(size > 0)) continue;
        if (!(e > std::max(least, 4 * noise.working) * size)) continue;
        AffineSlices::Slice w{static_cast<std::int64_t>(i), s.fitGain(), s.d2, 0, false};
        const auto affine = s.fitAffine();
        if (w.fit.left > kMostLeft) {
            w.offset = affine.left <= kMostLeft;
            if (w.offset) w.fit = affine;
        }
        w.after = w.fit.left * s.d2;
        // Where a slice hardly varies beside its mean, an error of its mean looks like a factor: rounding the
        // weights of inputs with a mean makes that. The slope must show in the slice's own variation, or the
        // offset be exact to roundings.
        const bool slope = std::fabs(affine.gain - 1) > least && affine.leftOfSpread <= kMostLeftOfSpread;
        const double rest = std::sqrt(affine.left * s.d2 / static_cast<double>(s.n));
        // The sums tell the rest of a fit to about 1e-8 of the error.
        const bool exact = rest <= 4 * std::max(noise.working, noise.unit) * size + 1e-7 * e;
        // A slice that became one number is no gain.
        explained += w.fit.left <= kMostLeft && w.fit.gain != 0 && (slope || exact);
        out.wrong.push_back(w);
    }
    if (!out.wrong.empty())
        out.explained = static_cast<double>(explained) / static_cast<double>(out.wrong.size());
    return out;
}

bool explainedByAffine(const PairEvidence& pair, std::size_t axis) {
    if (!realFloating(pair) && kind(pair.reference.dtype) != DTypeKind::integer) return false;
    const AffineSlices a = affineSlices(pair, axis);
    if (a.wrong.empty() || a.explained < kFits) return false;
    const auto [low, high] = std::minmax_element(
        a.wrong.begin(), a.wrong.end(), [](const auto& x, const auto& y) { return x.fit.gain < y.fit.gain; });
    const bool oneGain = high->fit.gain - low->fit.gain <= kOneGain * std::fabs(high->fit.gain);
    return !oneGain || static_cast<std::int64_t>(a.wrong.size()) < a.slices;
}

} // namespace divdet
