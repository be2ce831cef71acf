#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "tensor/shape.h"

namespace divdet {

struct PairEvidence;

/// Sums over the elements of one slice: those with one index along an axis. Over pairs finite on both sides;
/// d = c − r.
struct SliceSums {
    std::int64_t n = 0;         ///< finite pairs
    std::int64_t differ = 0;    ///< of them with c != r
    std::int64_t nonFinite = 0; ///< pairs with a NaN or an infinity on either side, unless both have the same
    double r = 0, c = 0, r2 = 0, c2 = 0, cross = 0, d2 = 0;
    double maxError = 0, maxReference = 0;

    void add(double reference, double candidate);
    double rmsError() const;     ///< 0 without finite pairs
    double rmsReference() const; ///< the same
    /// Least squares c ≈ gain·r (+ offset) and the share of Σd² that it leaves.
    struct Fit {
        double gain = 1, offset = 0, left = 1;
        double leftOfSpread = 1; ///< what the slope leaves of the error's own variance; fitAffine only
    };
    Fit fitGain() const;
    Fit fitAffine() const;
};

/// Elements of a pair that stand for all: every one of a small tensor, of a large one runs of neighbours
/// spread evenly, but not regularly, over it, so that each slice of each axis gets its share. The same
/// elements at every call and for any number of threads. Masked elements are left out; c and r may be NaN.
struct PairSample {
    bool complete = false;           ///< every compared element is there
    std::vector<std::int64_t> index; ///< flat
    std::vector<double> r, c;
    std::vector<std::vector<SliceSums>> axes; ///< per axis of the pair, per index along it
    SliceSums all;
};

/// Elements that a sample has at most.
inline constexpr std::int64_t kSampled = std::int64_t{1} << 17;

PairSample takeSample(const PairEvidence& pair);

/// A sample that is taken when it is first asked for.
struct SampleOnce {
    std::optional<PairSample> value;
};

} // namespace divdet
