#pragma once
#include <cstdint>

#include "compare/block_kernels.h"
#include "compare/tile_sums.h"

namespace divdet {

/// One block of pairs, candidate and reference, of which no element is special; `first` is the index of its
/// first pair. Neither pointer need be aligned.
struct FloatBlock {
    const float *candidate = nullptr, *reference = nullptr;
    std::int64_t first = 0;
    int count = 0;
};

/// Sums, histogram and, where lines and tiles allow it, tiles of a block in one loop: sums go to `lanes`,
/// counts to `cells` (kernels::kHistogramCells), and `tiled` becomes true when tiles are done; when it is
/// true already they are left alone. False, and nothing done, where this machine has no such loop. `next` is
/// read ahead.
bool fuseBlock(const FloatBlock& block, const TileGrid& grid, const kernels::Ahead& next,
               std::uint32_t* cells, TileSums& tiles, LaneSums& lanes, bool& tiled);

} // namespace divdet
