#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace divdet {

using Index = std::vector<std::int64_t>; ///< a position, one number per dimension

/// Extents of a tensor, outermost first; empty = a scalar. No extent is negative.
using Shape = std::vector<std::int64_t>;

/// Number of elements; nullopt when an extent is negative or the product does not fit 63 bits.
std::optional<std::int64_t> elementCount(std::span<const std::int64_t> shape);

/// Row-major position of flat index i. Precondition: 0 <= i < elementCount(shape).
Index unravel(std::int64_t i, std::span<const std::int64_t> shape);

std::string toString(std::span<const std::int64_t> shape); ///< `[64, 512]`, `[]`

} // namespace divdet
