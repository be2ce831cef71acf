#pragma once
#include <cstddef>
#include <vector>

#include "compare/finding.h"
#include "judge/taps/chain.h"

namespace divdet {

/// What a rule says of one tap.
struct TapFinding {
    std::size_t tap = 0; ///< place in Chain::taps
    double strength = 1; ///< times its threshold, above 1
    Finding finding;
};

} // namespace divdet
