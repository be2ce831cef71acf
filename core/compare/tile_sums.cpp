#include "compare/tile_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/block_kernels.h"

namespace divdet {
namespace {

constexpr std::int64_t kMaxTiles = 512; ///< per axis
constexpr double kInf = std::numeric_limits<double>::infinity();

/// Calls visit(offset, length, column, line) for each piece of a line.
template <class Visit>
void forLines(const TileGrid& grid, std::int64_t first, int count, const Visit& visit) {
    std::int64_t column = first % grid.width, line = first / grid.width % grid.height;
    for (int i = 0; i < count;) {
        const auto n = static_cast<int>(std::min<std::int64_t>(count - i, grid.width - column));
        visit(i, n, column, line);
        i += n;
        column = 0;
        if (++line == grid.height) line = 0;
    }
}

} // namespace

TileGrid::TileGrid(std::span<const std::int64_t> shape) {
    if (!shape.empty()) width = shape.back();
    if (shape.size() > 1) height = shape[shape.size() - 2];
    if (elementCount(shape).value_or(0) == 0) return;
    depth = *elementCount(shape) / (width * height);
    rowsPerTile = (height + kMaxTiles - 1) / kMaxTiles;
    columnsPerTile = (width + kMaxTiles - 1) / kMaxTiles;
    rows = static_cast<int>((height + rowsPerTile - 1) / rowsPerTile);
    columns = static_cast<int>((width + columnsPerTile - 1) / columnsPerTile);
}

std::int64_t TileSums::lanesOf(const TileGrid& grid) {
    return laneEachColumn(grid) ? grid.width : grid.columns * kLanes;
}

TileSums::TileSums(const TileGrid& grid, std::int64_t first, std::int64_t count) {
    const std::int64_t firstLine = first / grid.width, lastLine = (first + count - 1) / grid.width;
    int last = grid.rows - 1;
    if (firstLine / grid.height == lastLine / grid.height) { // one matrix: no wrap into the next one
        m_firstRow = static_cast<int>(firstLine % grid.height / grid.rowsPerTile);
        last = static_cast<int>(lastLine % grid.height / grid.rowsPerTile);
    }
    m_rows = last - m_firstRow + 1;
    m_max.resize(static_cast<std::size_t>(m_rows * lanesOf(grid)));
    m_sum2.resize(m_max.size());
}

void TileSums::addOne(const TileGrid& grid, std::int64_t row, std::int64_t column, PairState state,
                      double error) {
    const std::int64_t tile = column / grid.columnsPerTile;
    const std::int64_t lane =
        laneEachColumn(grid) ? column : tile * kLanes + column % grid.columnsPerTile % kLanes;
    const auto to = static_cast<std::size_t>(row * lanesOf(grid) + lane);
    if (state == PairState::equal || state == PairState::finite) {
        m_max[to] = std::max(m_max[to], error);
        m_sum2[to] += error * error;
        return;
    }
    if (state == PairState::never) m_max[to] = kInf;
    if (m_left.empty()) m_left.resize(static_cast<std::size_t>(m_rows * grid.columns));
    ++m_left[static_cast<std::size_t>(row * grid.columns + tile)];
}

void TileSums::add(const TileGrid& grid, std::int64_t first, const ElementBlock& block) {
    forLines(grid, first, block.count, [&](int from, int n, std::int64_t column, std::int64_t line) {
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(from + i);
            addOne(grid, line / grid.rowsPerTile - m_firstRow, column + i, block.state[k], block.error[k]);
        }
    });
}

template <class T>
void TileSums::add(const TileGrid& grid, std::int64_t first, const T* candidate, const T* reference,
                   int count) {
    forLines(grid, first, count, [&](int from, int n, std::int64_t column, std::int64_t line) {
        const auto row = static_cast<std::size_t>((line / grid.rowsPerTile - m_firstRow) * lanesOf(grid));
        kernels::addTiles(candidate + from, reference + from, n, column, grid.columnsPerTile,
                          m_max.data() + row, m_sum2.data() + row);
    });
}
template void TileSums::add(const TileGrid&, std::int64_t, const float*, const float*, int);
template void TileSums::add(const TileGrid&, std::int64_t, const double*, const double*, int);

TileSums::Lanes TileSums::lanesAt(const TileGrid& grid, std::int64_t first) {
    const std::int64_t column = first % grid.width, line = first / grid.width % grid.height;
    const auto at = static_cast<std::size_t>((line / grid.rowsPerTile - m_firstRow) * lanesOf(grid) + column);
    return {m_max.data() + at, m_sum2.data() + at};
}

void TileSums::fold(const TileGrid& grid) {
    const auto lanes = static_cast<std::size_t>(lanesOf(grid)),
               columns = static_cast<std::size_t>(grid.columns);
    if (lanes == columns) return;
    const auto wide = static_cast<std::size_t>(std::min(grid.columnsPerTile, kLanes));
    std::vector<double> max, sum2;
    max.reserve(static_cast<std::size_t>(m_rows) * columns);
    sum2.reserve(max.capacity());
    for (std::size_t row = 0; row < static_cast<std::size_t>(m_rows); ++row)
        for (std::size_t tile = 0; tile < columns; ++tile) {
            const std::size_t from = row * lanes + tile * wide, count = std::min(wide, lanes - tile * wide);
            double most[kLanes] = {}, sum[kLanes] = {}; // halves instead of a chain of eight additions
            std::copy_n(m_max.data() + from, count, most);
            std::copy_n(m_sum2.data() + from, count, sum);
            for (std::size_t half = kLanes / 2; half > 0; half /= 2)
                for (std::size_t k = 0; k < half; ++k) {
                    most[k] = std::max(most[k], most[k + half]);
                    sum[k] += sum[k + half];
                }
            max.push_back(most[0]);
            sum2.push_back(sum[0]);
        }
    m_max = std::move(max);
    m_sum2 = std::move(sum2);
}

void TileSums::addTo(const TileGrid& grid, TileSums& whole) const {
    const auto tiles = static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(grid.columns);
    if (whole.m_max.empty()) {
        whole.m_max.resize(tiles);
        whole.m_sum2.resize(tiles);
        whole.m_left.resize(tiles);
    }
    const std::size_t offset = static_cast<std::size_t>(m_firstRow) * static_cast<std::size_t>(grid.columns);
    for (std::size_t i = 0; i < m_max.size(); ++i) {
        whole.m_max[offset + i] = std::max(whole.m_max[offset + i], m_max[i]);
        whole.m_sum2[offset + i] += m_sum2[i];
    }
    for (std::size_t i = 0; i < m_left.size(); ++i) whole.m_left[offset + i] += m_left[i];
}

TileMap TileSums::finish(const TileGrid& grid) const {
    TileMap map{grid.rows, grid.columns, grid.rowsPerTile, grid.columnsPerTile, {}, {}};
    map.maxAbs.reserve(m_max.size());
    map.rms.reserve(m_max.size());
    if (m_max.empty()) return map;
    std::size_t i = 0;
    for (std::int64_t row = 0; row < grid.rows; ++row) {
        const std::int64_t high = std::min(grid.rowsPerTile, grid.height - row * grid.rowsPerTile);
        for (std::int64_t column = 0; column < grid.columns; ++column, ++i) {
            const std::int64_t wide =
                std::min(grid.columnsPerTile, grid.width - column * grid.columnsPerTile);
            const std::int64_t finite = grid.depth * high * wide - m_left[i];
            map.maxAbs.push_back(static_cast<float>(m_max[i]));
            map.rms.push_back(finite ? static_cast<float>(std::sqrt(m_sum2[i] / static_cast<double>(finite)))
                                     : 0.0f);
        }
    }
    return map;
}

} // namespace divdet
