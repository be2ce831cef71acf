#pragma once
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "compare/tolerance.h"
#include "tensor/tensor.h"

namespace divdet::rules {

/// A statistic of the absolute and of the relative differences.
struct PolyDifferences {
    std::string_view name;
    double abs = 0, rel = 0;
};

/// The statistic that `tolerance.rule` names. Memory does not grow with the tensor.
Result<PolyDifferences> polygraphyDifferences(const TensorView& reference, const TensorView& candidate,
                                              const Tolerance& tolerance, const Progress& progress);

} // namespace divdet::rules
