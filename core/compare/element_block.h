#pragma once
#include <array>
#include <cstdint>

#include "tensor/tensor.h"

namespace divdet {

/// What can be said of an element before any tolerance is known.
enum class PairState : std::uint8_t {
    equal,  ///< c == r
    finite, ///< both finite, different, |c − r| finite
    bothNan,
    never,  ///< fails at every tolerance: NaN or infinity on one side, other infinities, |c − r| overflows
    masked, ///< left out by a mask
};

/// A block of elements of both sides, widened. Complex values stand by their modulus, with e = |c − r|.
struct ElementBlock {
    static constexpr int kSize = 4096;
    int count = 0;
    std::array<double, kSize> candidate, reference;
    std::array<double, kSize> error;     ///< |c − r|; unspecified unless the state is equal or finite
    std::array<double, kSize> magnitude; ///< |r|
    std::array<PairState, kSize> state;
};

/// Loads elements [first, first + count) of both tensors; integers of 64 bits are subtracted exactly.
/// Preconditions: equal shapes, comparable() dtypes, count <= kSize. False when mapped memory went away.
[[nodiscard]] bool loadBlock(const TensorView& reference, const TensorView& candidate, std::int64_t first,
                             int count, ElementBlock& out);

/// Marks the elements where the mask is zero. Precondition: the mask has the pair's shape, bool or u8. False
/// when mapped memory went away.
[[nodiscard]] bool maskBlock(const TensorView& mask, std::int64_t first, ElementBlock& out);

} // namespace divdet
