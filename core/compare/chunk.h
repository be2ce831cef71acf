#pragma once
#include <cstdint>

#include "compare/element_block.h"
#include "compare/summary.h"
#include "compare/sums.h"
#include "compare/tile_sums.h"

namespace divdet {

/// What a scan knows of both tensors before it starts.
struct ScanContext {
    TensorView reference, candidate;
    Tolerance tolerance;
    std::optional<DType> ulpType;
    bool complex = false;
    bool comparableBytes = false; ///< both contiguous and of one dtype: bytes can be compared
    double normalReference = 0, normalCandidate = 0; ///< smallest normal numbers
    double significantFrom = 0;                      ///< atol / rtol
    bool tiles = true;
    std::optional<TensorView> mask;
};

ScanContext makeContext(const TensorView& reference, const TensorView& candidate, const Tolerance& t,
                        bool tiles);

/// Everything about a contiguous range of elements. Ranges merge in order; the result does not depend on who
/// computed them.
struct Chunk {
    Summary part; ///< counts, extremes, histograms, `at`; the derived numbers are still empty
    SumTree sums;
    FrontierBuilder frontier;
    TileSums tiles;
    bool sameBytes = true;

    void add(const ScanContext& ctx, const TileGrid& grid, std::int64_t first, const ElementBlock& block);
    void merge(const Chunk& later, const Frontier& laterFrontier, const TileGrid& grid);
};

/// The tolerance-dependent part for one block.
void addAtTolerance(const ScanContext& ctx, std::int64_t first, const ElementBlock& block, AtTolerance& at);
void mergeAtTolerance(const AtTolerance& later, AtTolerance& at);

/// Turns counts and sums into the means, ratios and the rest.
Summary finishSummary(const ScanContext& ctx, Chunk&& whole, const TileGrid& grid);

} // namespace divdet
