#pragma once
#include <array>
#include <cstdint>

#include "tensor/tensor.h"

namespace divdet::rules {

/// The types Polygraphy works in after its cast_up: fp16 (and bf16, fp8) as f32, integers up to 16 bits as
/// i32, u32 as i64.
enum class PolyType { boolean, i32, i64, u64, f32, f64 };

PolyType castUp(DType t);
/// Of |candidate − reference|, as numpy promotes. Where equal infinities are replaced by an integer 0, numpy
/// promotes once more: f32 and u64 to f64, i32 to i64.
PolyType absType(DType reference, DType candidate, bool infinitiesEqual);
/// Of that over |reference|: f32 or f64.
PolyType relType(DType reference, DType candidate, bool infinitiesEqual);

/// Absolute and relative differences of a block as Polygraphy's `simple` computes them.
struct PolyBlock {
    static constexpr int kSize = 4096;
    std::array<double, kSize> candidate, reference;
    std::array<double, kSize> abs, rel;
    std::array<double, kSize> magnitude; ///< what `rel` was divided by
    /// Rises with `abs` and tells integers of 64 bits apart; not filled for NaN.
    std::array<std::uint64_t, kSize> absKey;
};

/// Loads elements [first, first + count). Integer differences wrap as in numpy; bool against bool is XOR;
/// zeros of a floating reference stand for 2^-52 in the quotient; NaN stays NaN.
void loadPolyBlock(const TensorView& reference, const TensorView& candidate, bool infinitiesEqual,
                   std::int64_t first, int count, PolyBlock& out);

/// A key that rises with x over all doubles but NaN, and back.
std::uint64_t orderKey(double x);
double valueOfKey(std::uint64_t key);

} // namespace divdet::rules
