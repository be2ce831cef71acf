#include "compare/scan.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "compare/block_scanner.h"

namespace divdet {
namespace {

constexpr std::int64_t kChunk = 64 * kernels::kBlock; ///< elements; fixed, so that merges are too
/// Chunks in work at once; bounds the memory. The first waves are short, because a chunk knows only what
/// earlier waves have learnt of the frontier.
constexpr std::int64_t kFirstWave = 2, kLastWave = 16;

Status checkMask(const TensorView& mask, const TensorView& reference) {
    if (mask.shape != reference.shape)
        return Error{ErrorCode::mismatch,
                     fmt::format("the mask has shape {}, the pair {}", toString(mask.shape),
                                 toString(reference.shape)),
                     "", "give a mask of the pair's shape"};
    if (mask.dtype != DType::boolean && mask.dtype != DType::u8)
        return Error{ErrorCode::mismatch, fmt::format("the mask is {}, not bool", name(mask.dtype)), "",
                     "give a mask of bool or u8"};
    return Done{};
}

Status checkPair(const TensorView& reference, const TensorView& candidate,
                 const std::optional<TensorView>& mask) {
    if (reference.shape != candidate.shape)
        return Error{ErrorCode::mismatch,
                     fmt::format("shapes differ: {} in the reference, {} in the candidate",
                                 toString(reference.shape), toString(candidate.shape))};
    if (!comparable(reference.dtype, candidate.dtype))
        return Error{
            ErrorCode::mismatch,
            fmt::format("{} cannot be compared with {}", name(reference.dtype), name(candidate.dtype)), "",
            "name the dtype of void data"};
    if (mask) return checkMask(*mask, reference);
    return Done{};
}

Error cancelledError() {
    return {ErrorCode::cancelled, "the comparison was cancelled"};
}

Error shrunkError() {
    return {ErrorCode::truncated, "the file became shorter while it was read", "",
            "let the program that writes it finish, then compare again"};
}

/// Calls work(slot, first, count) for every chunk, in waves, in parallel, and then collect(slot) in order
/// after each wave. Work answers false when mapped memory went away.
template <class Work, class Collect>
Status overChunks(std::int64_t elements, const Progress& progress, Work&& work, Collect&& collect) {
    const std::int64_t chunks = (elements + kChunk - 1) / kChunk;
    std::int64_t size = kFirstWave;
    for (std::int64_t wave = 0; wave < chunks; wave += size, size = std::min(kLastWave, 2 * size)) {
        const std::int64_t end = std::min(chunks, wave + size);
        std::atomic<bool> shrunk = false;
        const auto one = [&](std::int64_t i) {
            if (!work(i - wave, i * kChunk, std::min(kChunk, elements - i * kChunk))) shrunk = true;
        };
        if (end - wave == 1)
            one(wave);
        else
            tbb::parallel_for(
                tbb::blocked_range<std::int64_t>(wave, end, 1),
                [&](const auto& range) {
                    for (std::int64_t i = range.begin(); i < range.end(); ++i) one(i);
                },
                tbb::simple_partitioner());
        if (progress.cancelled()) return cancelledError();
        if (shrunk) return shrunkError();
        for (std::int64_t i = wave; i < end; ++i) collect(i - wave);
        progress(static_cast<std::uint64_t>(std::min(elements, end * kChunk)),
                 static_cast<std::uint64_t>(elements));
    }
    return Done{};
}

/// Calls f(first, count) for the blocks of a chunk until it answers false or the work is cancelled.
template <class F>
bool overBlocks(std::int64_t first, std::int64_t count, const Progress& progress, F&& f) {
    for (std::int64_t at = 0; at < count && !progress.cancelled(); at += kernels::kBlock)
        if (!f(first + at, static_cast<int>(std::min<std::int64_t>(kernels::kBlock, count - at))))
            return false;
    return true;
}

using Scratches = tbb::enumerable_thread_specific<ScanScratch>;

} // namespace

bool comparable(DType reference, DType candidate) {
    return kind(reference) != DTypeKind::opaque && kind(candidate) != DTypeKind::opaque;
}

Result<Summary> scan(const TensorView& reference, const TensorView& candidate, const ScanSettings& settings,
                     const Progress& progress) {
    if (auto s = checkPair(reference, candidate, settings.mask); !s) return s.error();
    const ScanContext ctx = makeContext(reference, candidate, settings);
    const TileGrid grid(reference.shape);
    Scratches scratches;
    std::vector<std::unique_ptr<Chunk>> wave(kLastWave);
    Chunk whole;
    auto status = overChunks(
        reference.elements(), progress,
        [&](std::int64_t slot, std::int64_t first, std::int64_t count) {
            const Known known{&whole.frontier.floors(), whole.part.at.significantMaxRel,
                              whole.part.maxAbs.index >= 0, whole.part.maxRel.index >= 0};
            auto chunk = std::make_unique<Chunk>(whole.frontier.floors());
            if (ctx.tiles) chunk->tiles = TileSums(grid, first, count);
            BlockScanner scanner(ctx, grid, known, scratches.local(), *chunk);
            const bool read = overBlocks(first, count, progress,
                                         [&](std::int64_t at, int n) { return scanner.scan(at, n); });
            if (ctx.tiles) chunk->tiles.fold(grid);
            chunk->frontier.points(); // sorts them here, not where chunks merge
            wave[static_cast<std::size_t>(slot)] = std::move(chunk);
            return read;
        },
        [&](std::int64_t slot) {
            auto& chunk = wave[static_cast<std::size_t>(slot)];
            whole.merge(*chunk, grid);
            chunk.reset();
        });
    if (!status) return status.error();
    for (ScanScratch& scratch : scratches) whole.part.histogram.merge(scratch.histogram());
    return finishSummary(ctx, std::move(whole), grid);
}

Result<AtTolerance> recount(const TensorView& reference, const TensorView& candidate,
                            const Tolerance& tolerance, const Progress& progress,
                            const std::optional<TensorView>& mask) {
    if (auto s = checkPair(reference, candidate, mask); !s) return s.error();
    const ScanContext ctx = makeContext(reference, candidate, {tolerance, false, ScanDepth::verdict, mask});
    const TileGrid grid(reference.shape);
    Scratches scratches;
    std::vector<AtTolerance> wave(kLastWave);
    AtTolerance whole;
    auto status = overChunks(
        reference.elements(), progress,
        [&](std::int64_t slot, std::int64_t first, std::int64_t count) {
            Chunk chunk{FrontierBuilder::Floors{}};
            Known known;
            known.significantMaxRel = whole.significantMaxRel;
            BlockScanner scanner(ctx, grid, known, scratches.local(), chunk);
            const bool read = overBlocks(first, count, progress,
                                         [&](std::int64_t at, int n) { return scanner.recount(at, n); });
            wave[static_cast<std::size_t>(slot)] = chunk.part.at;
            return read;
        },
        [&](std::int64_t slot) { mergeAtTolerance(wave[static_cast<std::size_t>(slot)], whole); });
    if (!status) return status.error();
    whole.tolerance = tolerance;
    if (whole.worst.index >= 0) whole.worst.rel = whole.worst.abs / std::fabs(whole.worst.reference);
    return whole;
}

} // namespace divdet
