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

/// What will be done to this pair: `squeeze`, `reshape`, `split`, `transpose`, `ranks …`; empty: nothing.
std::string transformOf(const TapEntry& reference, const TapEntry& candidate, const ShapeOptions& options);

/// The two tensors after squeeze and reshape. Shapes that still differ are left to the comparison.
PairData fitted(Tensor reference, Tensor candidate, const ShapeOptions& options);

} // namespace divdet
