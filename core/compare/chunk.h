#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "compare/block_kernels.h"
#include "compare/element_block.h"
#include "compare/scan.h"
#include "compare/summary.h"
#include "compare/sums.h"
#include "compare/tile_sums.h"

namespace divdet {

/// In which width the blocks of a pair are worked on.
enum class Lanes {
    f32, ///< both sides fit a float exactly and differ as numbers do
    f64, ///< both sides are widened to double
    none ///< complex, integers of 64 bits, masked pairs: element by element
};

/// What a scan knows of both tensors before it starts.
struct ScanContext {
    TensorView reference, candidate;
    Tolerance tolerance;
    std::optional<TensorView> mask;
    Lanes lanes = Lanes::none;
    std::optional<DType> ulpType;
    kernels::UlpFormat ulpFormat; ///< for Lanes::f32
    bool full = true;
    bool tiles = true;
    bool complex = false;
    bool comparableBytes = false; ///< both contiguous and of one dtype: bytes can be compared
    double normalReference = 0, normalCandidate = 0; ///< smallest normal numbers
    double significantFrom = 0;                      ///< atol / rtol
};

ScanContext makeContext(const TensorView& reference, const TensorView& candidate,
                        const ScanSettings& settings);

/// Whether an element takes part in sums and histograms.
inline bool finitePair(PairState state, double magnitude) {
    return state == PairState::finite || (state == PairState::equal && std::isfinite(magnitude));
}
inline std::size_t ulpBin(double distance) {
    if (distance < 1) return 0;
    const auto log2 = static_cast<std::size_t>(std::bit_cast<std::uint64_t>(distance) >> 52) - 1023;
    return std::min<std::size_t>(log2 + 1, 65);
}

/// One element as the extremes see it; elements come by rising index.
struct PairValues {
    PairState state;
    double candidate, reference, error, magnitude;
    std::int64_t index;
};
PairValues realPair(double candidate, double reference, std::int64_t index);
void addAtTolerance(const ScanContext& ctx, const PairValues& pair, AtTolerance& at);
void mergeAtTolerance(const AtTolerance& later, AtTolerance& at);

/// Everything about a contiguous range of elements. Ranges merge in order; the result does not depend on who
/// computed them.
struct Chunk {
    Chunk() = default;
    explicit Chunk(const FrontierBuilder::Floors& earlier)
        : frontier(earlier) {}

    Summary part; ///< counts, extremes, ulps, `at`; histogram, frontier and derived numbers come last
    SumTree<Sums> sums;
    SumTree<WideSums> wideSums; ///< of blocks whose squares leave the range of double
    FrontierBuilder frontier;
    TileSums tiles;
    bool sameBytes = true;

    /// Largest errors, frontier and tolerance; counts of failing elements only.
    void addExtremes(const ScanContext& ctx, const PairValues& pair);
    void raiseUlp(double distance, double candidate, double reference);
    void merge(Chunk& later, const TileGrid& grid);
};

/// Element by element: any pair, with or without a mask. False when mapped memory went away.
[[nodiscard]] bool addBlock(const ScanContext& ctx, const TileGrid& grid, std::int64_t first,
                            const ElementBlock& block, ErrorHistogram& histogram, Chunk& chunk);

/// Ulp distances of the finite pairs.
void addUlps(const ScanContext& ctx, const ElementBlock& block, Chunk& chunk);

/// Sums of the finite pairs of a block whose squares leave the range of double.
WideSums wideSums(const ElementBlock& block);

/// Turns counts and sums into the means, ratios and the rest.
Summary finishSummary(const ScanContext& ctx, Chunk&& whole, const TileGrid& grid);

} // namespace divdet
