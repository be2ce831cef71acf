#pragma once
#include "numerics/philox.h"
#include "numerics/reduction.h"
#include "numerics/rounding.h"

/// Chunks of a long sum and how their results are combined: in another dtype, or in the order in which atomic
/// additions happen to arrive. Chunks are those of splitK (numerics/reduction.h).
///
///   in order   sum = r(chunk 0 from start); sum = r(sum + r(chunk c from +0)) for c = 1, 2, ...
///   arrival    sum = r(start);              sum = r(sum + r(chunk c from +0)) for c = p_0, p_1, ...
///
/// r rounds to the combining dtype (fp32: nothing). fp32 in order is splitK itself.
namespace divdet::numerics {

enum class PartialFormat : std::uint8_t { f32, bf16, f16 };

DIVDET_HD float roundPartial(float x, PartialFormat f) {
    if (f == PartialFormat::bf16) return roundToBf16(x);
    return f == PartialFormat::f16 ? roundToF16(x) : x;
}

/// One step of the combination; the scalar rule that whole arrays follow.
DIVDET_HD float addPartial(float sum, float partial, PartialFormat f) {
    return roundPartial(addRn(sum, roundPartial(partial, f)), f);
}

/// Chunks that are not empty; 0 for count = 0.
DIVDET_HD std::size_t chunkCount(std::size_t count, std::size_t length) {
    return length == 0 ? 0 : (count + length - 1) / length;
}

/// Outputs of one tile of kArrivalTile rows and columns share an order of arrival.
inline constexpr std::size_t kArrivalTile = 16;
inline constexpr std::uint32_t kArrivalStream = 0x41525249;

/// p_0 ... p_(count-1): a permutation drawn by Fisher and Yates' shuffle from `seed`, another one per tile.
DIVDET_HD void arrivalOrder(std::uint64_t seed, std::uint32_t tileRow, std::uint32_t tileColumn,
                            std::uint32_t* p, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) p[i] = static_cast<std::uint32_t>(i);
    const std::uint64_t tile = static_cast<std::uint64_t>(tileRow) << 32 | tileColumn;
    for (std::size_t i = count; i > 1; --i) {
        const PhiloxBlock r =
            philox({{static_cast<std::uint32_t>(tile), static_cast<std::uint32_t>(tile >> 32), kArrivalStream,
                     static_cast<std::uint32_t>(i)}},
                   static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
        const std::size_t j = static_cast<std::size_t>((static_cast<std::uint64_t>(r.word[0]) * i) >> 32);
        const std::uint32_t kept = p[i - 1];
        p[i - 1] = p[j];
        p[j] = kept;
    }
}

/// The definition above for one output. `arrival` has chunkCount entries, or is null: in order.
template <class Terms>
DIVDET_HD float combinedChunks(const Terms& terms, std::size_t count, std::size_t splits, float start,
                               PartialFormat f, const std::uint32_t* arrival) {
    const std::size_t length = chunkLength(count, splits);
    float sum = roundPartial(start, f);
    for (std::size_t i = 0; i < chunkCount(count, length); ++i) {
        const std::size_t first = (arrival ? arrival[i] : i) * length;
        const std::size_t last = first + length < count ? first + length : count;
        if (!arrival && i == 0)
            sum = roundPartial(chain(terms, 0, last, 1, start), f);
        else
            sum = addPartial(sum, chain(terms, first, last, 1, 0.0f), f);
    }
    return sum;
}

} // namespace divdet::numerics
