#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "compare/element_block.h"
#include "compare/summary.h"

namespace divdet {

/// How a tensor's elements fall on the tiles of a TileMap: the last two dims, leading dims folded in.
struct TileGrid {
    explicit TileGrid(std::span<const std::int64_t> shape);
    std::int64_t height = 1, width = 1; ///< extents of the last two dims
    std::int64_t rowsPerTile = 1, columnsPerTile = 1;
    int rows = 0, columns = 0;
};

/// Tile statistics of a contiguous range of elements; only the tile rows that the range touches are kept, so
/// that several ranges can be in work at once.
class TileSums {
public:
    TileSums() = default;
    /// For elements [first, first + count) of a tensor with this grid.
    TileSums(const TileGrid& grid, std::int64_t first, std::int64_t count);
    void add(const TileGrid& grid, std::int64_t first, const ElementBlock& block);
    /// Adds to the whole map; called in the order of the ranges.
    void addTo(const TileGrid& grid, TileSums& whole) const;
    TileMap finish(const TileGrid& grid) const;

private:
    struct Cell {
        double max = 0, sum2 = 0;
        std::int64_t count = 0;
    };
    int m_firstRow = 0;
    std::vector<Cell> m_cells;
};

} // namespace divdet
