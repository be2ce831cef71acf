#pragma once
#include <cstdint>
#include <vector>

#include "judge/pair_evidence.h"

namespace divdet {

/// The slices along an axis that are wrong and how far c ≈ gain·r + offset explains each of them.
struct AffineSlices {
    struct Slice {
        std::int64_t index = 0;
        SliceSums::Fit fit;
        double before = 0, after = 0; ///< Σd² and what the fit leaves of it
        bool offset = false;          ///< without the offset the fit would not hold
    };
    std::vector<Slice> wrong; ///< in the order of the axis
    double explained = 0;     ///< share of the wrong slices that the fit explains
    std::int64_t slices = 0;
};
AffineSlices affineSlices(const PairEvidence& pair, std::size_t axis);

/// Nearly every wrong slice along the axis is an affine image of its reference, not all with one gain.
bool explainedByAffine(const PairEvidence& pair, std::size_t axis);

} // namespace divdet
