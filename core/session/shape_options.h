#pragma once
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.h"
#include "dump/dump.h"

namespace divdet {

/// How tensors of unequal shapes are brought together; only what is asked for is done, and each pair tells.
struct ShapeOptions {
    bool squeeze = false; ///< both sides without dims of size 1
    bool reshape = false; ///< the candidate in the shape of the reference, elements in row-major order
    std::vector<std::string> transpose; ///< candidate taps with two axes

    /// One tap of either side against several of the other, as `qkv=q,k,v`: (reference, candidate) names.
    std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> splits;
};

Shape withoutOnes(const Shape& shape); ///< its dims other than 1, in order

/// What will be done to this pair: `squeeze`, `reshape`, `split`, `transpose`, `ranks …`; empty: nothing.
std::string transformOf(const TapEntry& reference, const TapEntry& candidate, const ShapeOptions& options);

/// Squeezes all tensors of the pair and reshapes the candidate, as asked. Shapes that still differ are left
/// to the comparison.
void fit(PairData& pair, const ShapeOptions& options);

} // namespace divdet
