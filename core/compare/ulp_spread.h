#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/progress.h"
#include "base/result.h"
#include "tensor/tensor.h"

namespace divdet {

/// Signed errors in units of the last place of the coarser dtype, by powers of two: which way the error goes
/// and how far, in bounded memory.
struct UlpSpread {
    static constexpr int kSide = 65;                  ///< [0]: none; [i]: 2^(i−1) … 2^i − 1 ulps
    DType dtype = DType::f32;                         ///< whose ulps
    std::int64_t equal = 0;                           ///< 0 ulps
    std::array<std::int64_t, kSide> above{}, below{}; ///< candidate above and below the reference
    std::int64_t notFinite = 0;                       ///< elements with an infinity or NaN on a side
    double largest = 0;

    std::int64_t finite() const;
    /// Whole ulps of entry i of a side, first and last.
    static std::pair<double, double> range(int i);
};

/// Errors: mismatch for unequal shapes, unsupported for complex and opaque dtypes, cancelled (asked once per
/// block). `mask` as in ScanSettings.
Result<UlpSpread> ulpSpread(const TensorView& reference, const TensorView& candidate,
                            const Progress& progress = {},
                            const std::optional<TensorView>& mask = std::nullopt);

} // namespace divdet
