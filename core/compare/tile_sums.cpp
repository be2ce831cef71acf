#include "compare/tile_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace divdet {
namespace {

constexpr std::int64_t kMaxTiles = 512; ///< per axis

} // namespace

TileGrid::TileGrid(std::span<const std::int64_t> shape) {
    if (!shape.empty()) width = shape.back();
    if (shape.size() > 1) height = shape[shape.size() - 2];
    if (elementCount(shape).value_or(0) == 0) return;
    rowsPerTile = (height + kMaxTiles - 1) / kMaxTiles;
    columnsPerTile = (width + kMaxTiles - 1) / kMaxTiles;
    rows = static_cast<int>((height + rowsPerTile - 1) / rowsPerTile);
    columns = static_cast<int>((width + columnsPerTile - 1) / columnsPerTile);
}

TileSums::TileSums(const TileGrid& grid, std::int64_t first, std::int64_t count) {
    const std::int64_t firstLine = first / grid.width, lastLine = (first + count - 1) / grid.width;
    int last = grid.rows - 1;
    if (firstLine / grid.height == lastLine / grid.height) { // one matrix: no wrap into the next one
        m_firstRow = static_cast<int>(firstLine % grid.height / grid.rowsPerTile);
        last = static_cast<int>(lastLine % grid.height / grid.rowsPerTile);
    }
    m_cells.resize(static_cast<std::size_t>(last - m_firstRow + 1) * static_cast<std::size_t>(grid.columns));
}

void TileSums::add(const TileGrid& grid, std::int64_t first, const ElementBlock& block) {
    std::int64_t column = first % grid.width, line = first / grid.width % grid.height;
    for (int i = 0; i < block.count; ++i) {
        const auto tileRow = static_cast<std::size_t>(line / grid.rowsPerTile - m_firstRow);
        const auto tileColumn = static_cast<std::size_t>(column / grid.columnsPerTile);
        Cell& cell = m_cells[tileRow * static_cast<std::size_t>(grid.columns) + tileColumn];
        const auto k = static_cast<std::size_t>(i);
        if (block.state[k] == PairState::never) {
            cell.max = std::numeric_limits<double>::infinity();
        } else if (block.state[k] != PairState::bothNan && block.state[k] != PairState::masked) {
            cell.max = std::max(cell.max, block.error[k]);
            cell.sum2 += block.error[k] * block.error[k];
            ++cell.count;
        }
        if (++column == grid.width) {
            column = 0;
            if (++line == grid.height) line = 0;
        }
    }
}

void TileSums::addTo(const TileGrid& grid, TileSums& whole) const {
    if (whole.m_cells.empty())
        whole.m_cells.resize(static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(grid.columns));
    const std::size_t offset = static_cast<std::size_t>(m_firstRow) * static_cast<std::size_t>(grid.columns);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        Cell& to = whole.m_cells[offset + i];
        to.max = std::max(to.max, m_cells[i].max);
        to.sum2 += m_cells[i].sum2;
        to.count += m_cells[i].count;
    }
}

TileMap TileSums::finish(const TileGrid& grid) const {
    TileMap map{grid.rows, grid.columns, grid.rowsPerTile, grid.columnsPerTile, {}, {}};
    map.maxAbs.reserve(m_cells.size());
    map.rms.reserve(m_cells.size());
    for (const Cell& c : m_cells) {
        map.maxAbs.push_back(static_cast<float>(c.max));
        map.rms.push_back(c.count ? static_cast<float>(std::sqrt(c.sum2 / static_cast<double>(c.count)))
                                  : 0.0f);
    }
    return map;
}

} // namespace divdet
