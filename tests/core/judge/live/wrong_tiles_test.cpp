#include "judge/live/wrong_tiles.h"

#include <gtest/gtest.h>

namespace divdet {
namespace {

std::vector<bool> filled(std::size_t rows, std::size_t columns, std::size_t row, std::size_t column,
                         std::size_t tile) {
    std::vector<bool> f(rows * columns);
    for (std::size_t i = row; i < std::min(rows, row + tile); ++i)
        for (std::size_t j = column; j < std::min(columns, column + tile); ++j) f[i * columns + j] = true;
    return f;
}

TEST(WrongTiles, FindsTheLargestTileThatFits) {
    for (const std::size_t tile : {8u, 16u, 32u}) {
        const auto found = wrongTiles(filled(64, 96, tile, 2 * tile, tile), {64, 96});
        ASSERT_TRUE(found.has_value()) << tile;
        EXPECT_EQ(found->tile, static_cast<std::int64_t>(tile));
        EXPECT_EQ(found->wrong, 1);
        EXPECT_EQ(found->first, (std::vector<std::int64_t>{static_cast<std::int64_t>(tile),
                                                           2 * static_cast<std::int64_t>(tile)}));
    }
}

TEST(WrongTiles, AtTheEdgeATileMayBeCut) {
    const auto found = wrongTiles(filled(37, 40, 32, 16, 16), {37, 40});
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->tile, 16);
}

TEST(WrongTiles, IsNotFooled) {
    EXPECT_FALSE(wrongTiles(std::vector<bool>(64 * 64, true), {64, 64}));  // everything
    EXPECT_FALSE(wrongTiles(std::vector<bool>(64 * 64, false), {64, 64})); // nothing
    EXPECT_FALSE(wrongTiles(filled(64, 64, 3, 5, 16), {64, 64}));          // a block that lies across tiles
    std::vector<bool> column(64 * 64);
    for (std::size_t i = 0; i < 64; ++i) column[i * 64 + 7] = true;
    EXPECT_FALSE(wrongTiles(column, {64, 64})); // a channel
    EXPECT_FALSE(wrongTiles({}, {0, 4}));
}

} // namespace
} // namespace divdet
