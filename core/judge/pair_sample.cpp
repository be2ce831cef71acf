#include "judge/pair_sample.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "judge/pair_evidence.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kRun = 32; ///< neighbours along the last axis

/// Spreads i evenly over 64 bits (the finalizer of splitmix64, Steele et al. 2014).
std::uint64_t mixed(std::uint64_t i) {
    i += 0x9e3779b97f4a7c15u;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
    i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
    return i ^ (i >> 31);
}

void addRun(const PairEvidence& pair, std::int64_t first, std::int64_t n, PairSample& out) {
    std::array<double, kRun> r, c, keep;
    const auto count = static_cast<std::size_t>(n);
    loadAsDouble(pair.reference, first, {r.data(), count});
    loadAsDouble(pair.candidate, first, {c.data(), count});
    if (pair.mask) loadAsDouble(*pair.mask, first, {keep.data(), count});
    for (std::size_t i = 0; i < count; ++i) {
        if (pair.mask && keep[i] == 0) continue;
        out.index.push_back(first + static_cast<std::int64_t>(i));
        out.r.push_back(r[i]);
        out.c.push_back(c[i]);
    }
}

void sumSlices(const Shape& shape, PairSample& out) {
    out.axes.resize(shape.size());
    std::int64_t below = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        auto& slices = out.axes[axis];
        slices.resize(static_cast<std::size_t>(shape[axis]));
        for (std::size_t i = 0; i < out.index.size(); ++i)
            slices[static_cast<std::size_t>(out.index[i] / below % shape[axis])].add(out.r[i], out.c[i]);
        below *= shape[axis];
    }
    for (std::size_t i = 0; i < out.index.size(); ++i) out.all.add(out.r[i], out.c[i]);
}

} // namespace

void SliceSums::add(double reference, double candidate) {
    if (!std::isfinite(reference) || !std::isfinite(candidate)) {
        const bool same = (std::isnan(reference) && std::isnan(candidate)) || reference == candidate;
        nonFinite += !same;
        return;
    }
    const double e = candidate - reference;
    ++n;
    differ += e != 0;
    r += reference;
    c += candidate;
    r2 += reference * reference;
    c2 += candidate * candidate;
    cross += reference * candidate;
    d2 += e * e;
    maxError = std::max(maxError, std::fabs(e));
    maxReference = std::max(maxReference, std::fabs(reference));
}

double SliceSums::rmsError() const {
    return n ? std::sqrt(d2 / static_cast<double>(n)) : 0;
}

double SliceSums::rmsReference() const {
    return n ? std::sqrt(r2 / static_cast<double>(n)) : 0;
}

SliceSums::Fit SliceSums::fitGain() const {
    Fit out;
    if (!(r2 > 0) || !(d2 > 0)) return out;
    const double slope = (cross - r2) / r2; // of d on r
    out.gain = 1 + slope;
    out.left = std::clamp(1 - slope * slope * r2 / d2, 0.0, 1.0);
    return out;
}

SliceSums::Fit SliceSums::fitAffine() const {
    Fit out;
    if (n < 3 || !(d2 > 0)) return out;
    const auto m = static_cast<double>(n);
    const double spread = r2 - r * r / m, dr = cross - r2 - (c - r) * r / m;
    if (!(spread > 1e-9 * r2)) return out;
    const double slope = dr / spread;
    const double sum = c - r;
    out.gain = 1 + slope;
    out.offset = (sum - slope * r) / m;
    const double explained = slope * dr + sum * sum / m, own = d2 - sum * sum / m;
    if (own > 0) out.leftOfSpread = std::clamp(1 - slope * dr / own, 0.0, 1.0);
    out.left = std::clamp(1 - explained / d2, 0.0, 1.0);
    return out;
}

PairSample takeSample(const PairEvidence& pair) {
    PairSample out;
    const std::int64_t total = pair.reference.elements();
    out.complete = total <= kSampled;
    const auto most = static_cast<std::size_t>(std::min(total, kSampled));
    for (auto* v : {&out.r, &out.c}) v->reserve(most);
    out.index.reserve(most);
    const std::int64_t strata = out.complete ? (total + kRun - 1) / kRun : kSampled / kRun;
    for (std::int64_t i = 0; i < strata && !pair.progress.cancelled(); ++i) {
        std::int64_t first = i * kRun;
        if (!out.complete) {
            // Stratum i is [i, i + 1)·total/strata; a run begins somewhere in it, by a counter, not by
            // chance.
            const auto low = static_cast<std::int64_t>(static_cast<double>(i) * static_cast<double>(total) /
                                                       static_cast<double>(strata));
            const std::int64_t room = std::max<std::int64_t>(total / strata - kRun, 1);
            first = std::min(low + static_cast<std::int64_t>(mixed(static_cast<std::uint64_t>(i)) %
                                                             static_cast<std::uint64_t>(room)),
                             total - kRun);
        }
        addRun(pair, first, std::min(kRun, total - first), out);
    }
    sumSlices(pair.reference.shape, out);
    return out;
}

const JudgeContext& PairEvidence::noContext() {
    static const JudgeContext none;
    return none;
}

const PairSample& PairEvidence::sample() const {
    if (!sampled->value) sampled->value = takeSample(*this);
    return *sampled->value;
}

} // namespace divdet
