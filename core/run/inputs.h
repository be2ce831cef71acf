#pragma once
#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "block/bind.h"
#include "run/key.h"
#include "run/op_cache.h"

namespace divdet::run {

class Backend;

/// The numbers a block starts from, by ValueIndex; intermediates are left empty.
struct Inputs {
    std::vector<Tensor> tensors; ///< fp32, contiguous
    std::vector<Key> keys;
};

/// Fills inputs and weights: a function of the seed, each filling's stream and the flat index alone. `cache`
/// and `backend` may be null; a backend makes the same numbers, only faster. Error: cancelled.
Result<Inputs> makeInputs(const block::BoundGraph& block, std::uint64_t seed, OpCache* cache = nullptr,
                          const Progress& progress = {}, Backend* backend = nullptr);

/// The numbers of one input or weight that has a filling, fp32 and contiguous; `backend` may be null.
Tensor drawn(const block::BoundGraph& block, block::ValueIndex value, std::uint64_t seed,
             Backend* backend = nullptr);

} // namespace divdet::run
