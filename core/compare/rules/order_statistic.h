#pragma once
#include <array>
#include <cstdint>
#include <functional>

#include "base/progress.h"
#include "base/result.h"

namespace divdet::rules {

/// Fills keys of elements [first, first + count), count <= 4096. Called from several threads.
using LoadKeys = std::function<void(std::int64_t first, int count, std::uint64_t* out)>;

/// The elements at `rank` and `rank + 1` (0-based, by rising key; the last one repeats) out of `elements`.
/// Selection over digits of 16 bits: four passes at most, and half a MiB per worker whatever the size.
/// Precondition: 0 <= rank < elements.
Result<std::array<std::uint64_t, 2>> orderStatistics(std::int64_t elements, const LoadKeys& keys,
                                                     std::int64_t rank, const Progress& progress);

} // namespace divdet::rules
