#pragma once
#include "base/progress.h"
#include "base/result.h"
#include "compare/summary.h"
#include "tensor/tensor.h"

namespace divdet {

struct ScanSettings {
    Tolerance tolerance;
    bool tiles = true;
};

/// One pass over a pair. Preconditions that become ErrorCode::mismatch: equal shapes, no opaque dtype.
/// The result depends on the elements only, not on the number of threads: blocks of 4096 elements in chunks
/// of fixed size, merged by a fixed tree. Cancelled between blocks.
Result<Summary> scan(const TensorView& reference, const TensorView& candidate, const ScanSettings& settings,
                     const Progress& progress = {});

/// Only the part that depends on the tolerance, for a moved slider.
Result<AtTolerance> recount(const TensorView& reference, const TensorView& candidate,
                            const Tolerance& tolerance, const Progress& progress = {});

/// Whether two dtypes can stand in one pair under the rules of this version: real with real, complex with
/// complex or real; opaque with nothing.
bool comparable(DType reference, DType candidate);

} // namespace divdet
