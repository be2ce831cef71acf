#pragma once
#include <cstdint>
#include <span>

#include "base/result.h"
#include "block/attributes.h"
#include "tensor/shape.h"

namespace divdet::block::ops {

/// How quantize and dequantize spread their scale (and zero point): one number, or one per position of
/// `axis`.
struct QuantizedLayout {
    std::size_t channels = 1; ///< numbers in the scale
    std::size_t inner = 1;    ///< elements behind one position of the axis

    std::size_t channel(std::size_t flat) const { return flat / inner % channels; }
};

/// The codes' range, attributes `low` and `high`; by default the symmetric -127 to 127.
struct CodeRange {
    std::int64_t low, high;
};
CodeRange codeRange(const Attributes& attributes);

/// x, scale (, zero point): scale and zero point have one element, or as many as `axis` (default the last;
/// negative counts from the end) has positions. `what` names the op. Error: mismatch.
Result<QuantizedLayout> quantizedLayout(std::string_view what, std::span<const Shape> in,
                                        const Attributes& attributes);

} // namespace divdet::block::ops
