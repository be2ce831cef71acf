#pragma once
#include "compare/rules/outcome.h"

#include "base/progress.h"

namespace divdet::rules {

/// What torch's `same()` can be told, beside the three tensors.
struct SameOptions {
    double tol = 1e-4;
    bool equalNan = false;
    bool exactDType = true;
    bool cosine = false;                   ///< judge by cosine similarity >= 0.99 instead
    bool ignoreNonFloat = false;           ///< bool passes unseen, and so does what has no fp64
    bool largerMultiplierForSmall = false; ///< 10 up to 10 elements, 8 up to 500
    bool forceMaxMultiplier = false;       ///< 10
    std::optional<double> multiplier;      ///< instead of the one torch chooses
    std::optional<double> iouThreshold;    ///< bool: intersection over union instead of allclose
};

/// torch._dynamo.utils.same(reference, candidate, fp64): passes when torch.allclose(tol, tol) does; else,
/// given an f64 fp64, when rmse(candidate, fp64) <= k·rmse(reference, fp64) + tol/10; where only the
/// reference holds NaN, a candidate within 4e-2 of fp64 passes. k is 3 for f16, bf16, fewer than 1000
/// elements, 1×1 kernels and tol >= 2e-2, else 2. `note` says which branch decided. Without fp64 the
/// reference stands in for it. Errors: mismatch for complex tensors and shapes that differ.
Result<RuleOutcome> torchSame(const TensorView& reference, const TensorView& candidate,
                              const std::optional<TensorView>& fp64, const SameOptions& options,
                              const Progress& progress = {});

} // namespace divdet::rules
