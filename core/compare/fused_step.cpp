#include "compare/fused_step.h"

#include <algorithm>

namespace divdet {

bool fuseBlock(const FloatBlock& block, const TileGrid& grid, const kernels::Ahead& next,
               std::uint32_t* cells, TileSums& tiles, LaneSums& lanes, bool& tiled) {
    const std::int64_t column = block.first % grid.width;
    const bool lines = !tiled && tiles.laneEachColumn(grid) && grid.width % kernels::kFusedStep == 0 &&
                       column % kernels::kFusedStep == 0;
    const auto part = [&](int from, int count, const TileSums::Lanes& to) {
        const std::size_t at = static_cast<std::size_t>(from);
        kernels::Ahead ahead = next;
        if (ahead.candidate) ahead.candidate += at * (ahead.candidateBytes / kernels::kBlock);
        if (ahead.reference) ahead.reference += at * (ahead.referenceBytes / kernels::kBlock);
        return kernels::fusedPairs(block.candidate + from, block.reference + from, count, cells, to.max,
                                   to.sum2, ahead, lanes);
    };
    if (!lines || block.count % kernels::kFusedStep != 0) return part(0, block.count, {});
    for (int from = 0; from < block.count;) {
        const auto count = static_cast<int>(
            std::min<std::int64_t>(block.count - from, grid.width - (block.first + from) % grid.width));
        if (!part(from, count, tiles.lanesAt(grid, block.first + from))) return false;
        from += count;
    }
    tiled = true;
    return true;
}

} // namespace divdet
