#include "judge/live/wrong_tiles.h"

#include <algorithm>
#include <cstddef>

namespace divdet {
namespace {

constexpr double kFilled = 0.9; ///< share of a wrong tile's elements: the right value may come out by chance

std::optional<WrongTiles> tilesOf(const std::vector<bool>& faulty, std::size_t rows, std::size_t columns,
                                  std::size_t tile) {
    WrongTiles out;
    out.tile = static_cast<std::int64_t>(tile);
    for (std::size_t row = 0; row < rows; row += tile)
        for (std::size_t column = 0; column < columns; column += tile) {
            std::size_t hit = 0, size = 0;
            for (std::size_t i = row; i < std::min(rows, row + tile); ++i)
                for (std::size_t j = column; j < std::min(columns, column + tile); ++j, ++size)
                    hit += faulty[i * columns + j];
            ++out.of;
            if (hit == 0) continue;
            if (static_cast<double>(hit) < kFilled * static_cast<double>(size)) return std::nullopt;
            if (out.wrong++ == 0)
                out.first = {static_cast<std::int64_t>(row), static_cast<std::int64_t>(column)};
        }
    // Of many tiles a race hits few; of a handful any number but all.
    constexpr std::int64_t kHandful = 4;
    if (out.wrong == 0 || out.wrong == out.of || (out.of > kHandful && 2 * out.wrong > out.of))
        return std::nullopt;
    return out;
}

} // namespace

std::optional<WrongTiles> wrongTiles(const std::vector<bool>& faulty, const Shape& shape) {
    if (shape.size() < 2 || faulty.empty()) return std::nullopt;
    const auto columns = static_cast<std::size_t>(shape.back());
    if (columns == 0) return std::nullopt;
    // A batch of matrices is tiled as if they lay one below the other.
    const std::size_t rows = faulty.size() / columns;
    for (const std::size_t tile : {128u, 64u, 32u, 16u, 8u})
        if (tile <= std::max(rows, columns))
            if (auto found = tilesOf(faulty, rows, columns, tile)) return found;
    return std::nullopt;
}

} // namespace divdet
