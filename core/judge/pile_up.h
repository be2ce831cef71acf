#pragma once
#include <cstdint>
#include <optional>

#include "judge/pair_evidence.h"

namespace divdet {

/// Values of the candidate that stop at one limit while the reference goes on beyond it, and that agree
/// below.
struct PileUp {
    std::optional<std::size_t> axis; ///< none: one limit for the whole tensor
    std::int64_t index = -1;         ///< of a slice that has a limit
    std::int64_t slices = 0;         ///< that have one
    double limit = 0;                ///< of that slice, as a magnitude
    std::int64_t stopped = 0;        ///< elements at a limit, of all slices
    double beyond = 0;               ///< largest |r| of those in that slice
};
std::optional<PileUp> pileUp(const PairEvidence& pair);

} // namespace divdet
