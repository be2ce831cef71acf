#include "compare/scan.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "compare/chunk.h"

namespace divdet {
namespace {

constexpr std::int64_t kChunk = 64 * ElementBlock::kSize; ///< elements; fixed, so that merges are too
constexpr std::int64_t kWave = 16;                        ///< chunks in work at once: bounds the memory

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

/// Calls work(chunkIndex, first, count) for every chunk, in waves, in parallel, and then collect(chunkIndex)
/// in order after each wave.
template <class Work, class Collect>
Status overChunks(std::int64_t elements, const Progress& progress, Work&& work, Collect&& collect) {
    const std::int64_t chunks = (elements + kChunk - 1) / kChunk;
    for (std::int64_t wave = 0; wave < chunks; wave += kWave) {
        const std::int64_t end = std::min(chunks, wave + kWave);
        const auto one = [&](std::int64_t i) {
            work(i - wave, i * kChunk, std::min(kChunk, elements - i * kChunk));
        };
        if (end - wave == 1)
            one(wave);
        else
            tbb::parallel_for(wave, end, one);
        if (progress.cancelled()) return cancelledError();
        for (std::int64_t i = wave; i < end; ++i) collect(i - wave);
        progress(static_cast<std::uint64_t>(std::min(elements, end * kChunk)),
                 static_cast<std::uint64_t>(elements));
    }
    return Done{};
}

} // namespace

bool comparable(DType reference, DType candidate) {
    return kind(reference) != DTypeKind::opaque && kind(candidate) != DTypeKind::opaque;
}

Result<Summary> scan(const TensorView& reference, const TensorView& candidate, const ScanSettings& settings,
                     const Progress& progress) {
    if (auto s = checkPair(reference, candidate, settings.mask); !s) return s.error();
    ScanContext ctx = makeContext(reference, candidate, settings.tolerance, settings.tiles);
    ctx.mask = settings.mask;
    const TileGrid grid(reference.shape);

    struct WorkedChunk {
        Chunk chunk;
        Frontier frontier;
    };
    std::vector<std::unique_ptr<WorkedChunk>> wave(kWave);
    Chunk whole;
    auto status = overChunks(
        reference.elements(), progress,
        [&](std::int64_t slot, std::int64_t first, std::int64_t count) {
            auto done = std::make_unique<WorkedChunk>();
            if (ctx.tiles) done->chunk.tiles = TileSums(grid, first, count);
            auto block = std::make_unique<ElementBlock>();
            for (std::int64_t at = 0; at < count && !progress.cancelled(); at += ElementBlock::kSize) {
                const int n = static_cast<int>(std::min<std::int64_t>(ElementBlock::kSize, count - at));
                loadBlock(ctx.reference, ctx.candidate, first + at, n, *block);
                if (ctx.mask) maskBlock(*ctx.mask, first + at, *block);
                done->chunk.add(ctx, grid, first + at, *block);
            }
            done->frontier = done->chunk.frontier.finish();
            wave[static_cast<std::size_t>(slot)] = std::move(done);
        },
        [&](std::int64_t slot) {
            auto& done = wave[static_cast<std::size_t>(slot)];
            whole.merge(done->chunk, done->frontier, grid);
            done.reset();
        });
    if (!status) return status.error();
    return finishSummary(ctx, std::move(whole), grid);
}

Result<AtTolerance> recount(const TensorView& reference, const TensorView& candidate,
                            const Tolerance& tolerance, const Progress& progress,
                            const std::optional<TensorView>& mask) {
    if (auto s = checkPair(reference, candidate, mask); !s) return s.error();
    ScanContext ctx = makeContext(reference, candidate, tolerance, false);
    ctx.mask = mask;
    std::vector<AtTolerance> wave(kWave);
    AtTolerance whole;
    auto status = overChunks(
        reference.elements(), progress,
        [&](std::int64_t slot, std::int64_t first, std::int64_t count) {
            AtTolerance at;
            auto block = std::make_unique<ElementBlock>();
            for (std::int64_t done = 0; done < count && !progress.cancelled(); done += ElementBlock::kSize) {
                const int n = static_cast<int>(std::min<std::int64_t>(ElementBlock::kSize, count - done));
                loadBlock(ctx.reference, ctx.candidate, first + done, n, *block);
                if (ctx.mask) maskBlock(*ctx.mask, first + done, *block);
                addAtTolerance(ctx, first + done, *block, at);
            }
            wave[static_cast<std::size_t>(slot)] = at;
        },
        [&](std::int64_t slot) { mergeAtTolerance(wave[static_cast<std::size_t>(slot)], whole); });
    if (!status) return status.error();
    whole.tolerance = tolerance;
    if (whole.worst.index >= 0) whole.worst.rel = whole.worst.abs / std::fabs(whole.worst.reference);
    return whole;
}

} // namespace divdet
