#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "tensor/shape.h"

namespace divdet {

/// Faulty elements that fill whole tiles of an output while every other tile is clean, as a race or a missing
/// barrier of a thread block leaves them.
struct WrongTiles {
    std::int64_t tile = 0;           ///< rows and columns of a tile
    std::int64_t wrong = 0, of = 0;  ///< tiles
    std::vector<std::int64_t> first; ///< row and column of the first wrong tile's corner
};

/// `faulty` by element of a tensor of this shape; its last two dimensions are tiled. nullopt: the faults fill
/// no tiles, all of them, or more than half.
std::optional<WrongTiles> wrongTiles(const std::vector<bool>& faulty, const Shape& shape);

} // namespace divdet
