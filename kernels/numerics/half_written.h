#pragma once
#include "numerics/philox.h"

/// What a missing barrier does to a product: in a few tiles of outputs, one step along k multiplies a piece
/// of B whose second half is still that of the step before (before the first step: zeros).
namespace divdet::numerics {

inline constexpr std::size_t kRaceTile = 16; ///< rows and columns of a tile, and k of a step
inline constexpr std::uint32_t kRaceStream = 0x52414345;
inline constexpr std::uint32_t kRaceOneIn = 8; ///< tiles, on average, for one that is hit

struct HalfWritten {
    bool hit = false;
    std::size_t step = 0; ///< rows [16 step + 8, 16 step + 16) of B are read too early
};

/// What befalls a tile. Precondition: k > 0.
DIVDET_HD HalfWritten halfWritten(std::uint64_t seed, std::uint32_t tileRow, std::uint32_t tileColumn,
                                  std::size_t k) {
    const PhiloxBlock r = philox({{tileRow, tileColumn, kRaceStream, 0}}, static_cast<std::uint32_t>(seed),
                                 static_cast<std::uint32_t>(seed >> 32));
    const std::size_t steps = (k + kRaceTile - 1) / kRaceTile;
    return {r.word[0] % kRaceOneIn == 0,
            static_cast<std::size_t>((static_cast<std::uint64_t>(r.word[1]) * steps) >> 32)};
}

/// The row of B that the multiplier sees as row `row` of a tile that is hit; negative: zeros.
DIVDET_HD std::int64_t rowRead(HalfWritten what, std::size_t row) {
    const std::int64_t wanted = static_cast<std::int64_t>(row);
    const bool early = what.hit && row / kRaceTile == what.step && row % kRaceTile >= kRaceTile / 2;
    return early ? wanted - static_cast<std::int64_t>(kRaceTile) : wanted;
}

} // namespace divdet::numerics
