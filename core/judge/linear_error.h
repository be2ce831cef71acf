#pragma once
#include <optional>

#include "judge/pair_evidence.h"

namespace divdet {

/// How much of the error energy Σ(c−r)² two one-parameter models leave unexplained: c = gain·r and
/// c = r + shift, each by least squares. Shares are in [0, 1].
struct LinearError {
    double gain = 1, gainLeft = 1;
    double shift = 0, shiftLeft = 1;
};

/// None when the pair is no case for it: not real floating numbers, fewer than 8 finite elements, anything
/// non-finite, or an error at the level of rounding.
std::optional<LinearError> linearError(const PairEvidence& pair);

/// Share of the elements that differ, or should, for which the model leaves less than half of the error. A
/// few large elements can carry the whole energy; this counts all of them alike.
double shareExplained(const PairEvidence& pair, double gain, double shift);

/// Whether a model that leaves this share of the energy explains it: nearly all, or all but what the declared
/// steps make, which must be the smaller part by far.
bool explains(const PairEvidence& pair, double left);

/// A model explains a pair when it leaves at most this share of the energy and explains this share of
/// elements.
inline constexpr double kMostLeft = 0.01, kLeastExplained = 0.9;

/// One factor, one offset or a declared loss of variance explains the whole tensor: where its errors are
/// large says nothing then.
bool explainedAsWhole(const PairEvidence& pair);

} // namespace divdet
