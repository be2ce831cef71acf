#pragma once
#include <optional>
#include <string_view>

#include "judge/pair_evidence.h"

namespace divdet {

/// All of the candidate lies on the values of a coarser type than its own, and the reference does not.
struct ValueGrid {
    int bits = 0;           ///< of the significand, with the leading one
    std::string_view type;  ///< bf16, fp16, tf32, fp8-e4m3
    double unit = 0;        ///< half an ulp of 1 there
    double largestUlps = 0; ///< largest |c − r| in ulps of that type at r
    double meanUlps = 0;    ///< mean of |c − r| in those ulps
};
/// None for fewer than 32 non-zero elements, for a reference on the same grid, and for types as coarse.
std::optional<ValueGrid> valueGrid(const PairEvidence& pair);

} // namespace divdet
