#pragma once
#include <optional>

#include "base/progress.h"
#include "base/result.h"
#include "compare/summary.h"
#include "tensor/tensor.h"

namespace divdet {

/// How much of the Summary a scan fills.
enum class ScanDepth {
    verdict, ///< what judges a pair: counts, extremes with their indices, the frontier, `at`
    full,    ///< everything
};

struct ScanSettings {
    Tolerance tolerance;
    bool tiles = true;
    ScanDepth depth = ScanDepth::full;
    /// Which elements to compare: bool or u8, of the pair's shape, anything but zero compares. The others
    /// count nowhere, `elements` included; indices stay those of the whole tensor.
    std::optional<TensorView> mask;
};

/// One pass over a pair. Preconditions that become ErrorCode::mismatch: equal shapes (the mask's too), no
/// opaque dtype, a mask of bool or u8.
/// The result depends on the elements only, not on the number of threads: blocks of 4096 elements in chunks
/// of fixed size, merged by a fixed tree. Cancelled between blocks.
Result<Summary> scan(const TensorView& reference, const TensorView& candidate, const ScanSettings& settings,
                     const Progress& progress = {});

/// Only the part that depends on the tolerance, for a moved slider.
Result<AtTolerance> recount(const TensorView& reference, const TensorView& candidate,
                            const Tolerance& tolerance, const Progress& progress = {},
                            const std::optional<TensorView>& mask = std::nullopt);

/// Whether two dtypes can stand in one pair under the rules of this version: real with real, complex with
/// complex or real; opaque with nothing.
bool comparable(DType reference, DType candidate);

} // namespace divdet
