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
    std::int64_t depth = 1;             ///< product of the others
    std::int64_t rowsPerTile = 1, columnsPerTile = 1;
    int rows = 0, columns = 0;
};

/// Tile statistics of a contiguous range of elements; only the tile rows that the range touches are kept, so
/// that several ranges can be in work at once. Within a tile row sums run in fixed lanes: per column where
/// tiles are at most eight columns wide, else eight to a tile, column k of a tile in lane k mod 8.
class TileSums {
public:
    TileSums() = default;
    /// For elements [first, first + count) of a tensor with this grid.
    TileSums(const TileGrid& grid, std::int64_t first, std::int64_t count);
    void add(const TileGrid& grid, std::int64_t first, const ElementBlock& block);
    /// The same for real pairs that are all finite; T is float or double, the pointers need not be aligned.
    template <class T>
    void add(const TileGrid& grid, std::int64_t first, const T* candidate, const T* reference, int count);
    /// Tiles are narrow enough for a lane of its own for each column.
    static bool laneEachColumn(const TileGrid& grid) { return grid.columnsPerTile <= kLanes; }
    /// Maximum and sum of squares of element `first` and, one behind the other, of those that follow in its
    /// line, to be raised by the caller. Precondition: laneEachColumn.
    struct Lanes {
        double *max = nullptr, *sum2 = nullptr;
    };
    Lanes lanesAt(const TileGrid& grid, std::int64_t first);
    /// Folds the lanes; nothing can be added afterwards.
    void fold(const TileGrid& grid);
    /// Adds a folded range to the whole map; called in the order of the ranges.
    void addTo(const TileGrid& grid, TileSums& whole) const;
    bool empty() const { return m_max.empty(); }
    TileMap finish(const TileGrid& grid) const;

private:
    static constexpr std::int64_t kLanes = 8; ///< of a wide tile
    static std::int64_t lanesOf(const TileGrid& grid);
    void addOne(const TileGrid& grid, std::int64_t row, std::int64_t column, PairState state, double error);

    int m_firstRow = 0, m_rows = 0;
    std::vector<double> m_max, m_sum2; ///< per row and lane, once folded per tile
    std::vector<std::int64_t> m_left;  ///< per tile: pairs that are not finite or masked; empty: none
};

} // namespace divdet
