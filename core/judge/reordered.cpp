#include "judge/reordered.h"

#include <algorithm>
#include <cmath>

#include "judge/noise.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

/// Errors of a wrong order are of the size of the data's spread: where something moved, and all over where
/// only some slices did.
constexpr double kMoved = 0.1, kMovedOnAverage = 0.002;
constexpr std::size_t kFirstLook = 64, kLook = 1 << 14;
constexpr double kMostOthers = 0.002; ///< elements that may not follow

/// Slack of equal sums: roundings of the elements, and of the sums themselves.
double sumSlack(const PairEvidence& pair) {
    return 8 * unitRoundoff(pair) + 1e-9;
}

} // namespace

bool mayBeReordered(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    const auto plain = [](DType t) { return kind(t) != DTypeKind::complex && kind(t) != DTypeKind::opaque; };
    if (!plain(pair.reference.dtype) || !plain(pair.candidate.dtype) || quiet(pair)) return false;
    if (s.elements < 4 || s.finite != s.elements || !s.bias || pair.mask) return false;
    const double spread2 = s.rmsReference * s.rmsReference - s.meanReference * s.meanReference;
    if (!(spread2 > 1e-12 * s.rmsReference * s.rmsReference)) return false; // constant: any order is the same
    const double honest = noiseModel(pair).honest;
    const double spread = std::sqrt(spread2);
    if (!(s.rms > std::max(kMovedOnAverage, 2 * honest) * spread)) return false;
    if (!(s.maxAbs.value > std::max(kMoved, 4 * honest) * spread)) return false;
    return std::fabs(*s.bias) <= sumSlack(pair) * s.rmsReference &&
           std::fabs(s.rmsCandidate - s.rmsReference) <= sumSlack(pair) * s.rmsReference;
}

bool isReordering(const PairEvidence& pair, const std::function<std::int64_t(std::int64_t)>& source,
                  double part) {
    const PairSample& s = pair.sample();
    const double unit = unitRoundoff(pair);
    const auto look = [&](std::size_t most) {
        const std::size_t stride = std::max<std::size_t>(1, s.index.size() / most);
        std::int64_t seen = 0, others = 0, sourced = 0, moved = 0;
        for (std::size_t i = 0; i < s.index.size(); i += stride) {
            ++seen;
            const std::int64_t from = source(s.index[i]);
            if (from < 0) continue;
            ++sourced;
            double r = 0;
            loadAsDouble(pair.reference, from, {&r, 1});
            others += !(std::fabs(s.c[i] - r) <= 4 * unit * std::fabs(r));
            moved += s.c[i] != s.r[i];
        }
        return moved > 0 && static_cast<double>(sourced) >= part * static_cast<double>(seen) &&
               static_cast<double>(others) <= kMostOthers * static_cast<double>(sourced);
    };
    return look(kFirstLook) && look(kLook);
}

} // namespace divdet
