#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <tbb/parallel_for.h>

#include "base/progress.h"
#include "base/result.h"

namespace divdet::rules {

inline constexpr std::int64_t kStreamBlock = 4096;
inline constexpr std::int64_t kStreamChunk = 64 * kStreamBlock; ///< elements; fixed, so that merges are too
inline constexpr std::int64_t kStreamWave = 16;                 ///< chunks in work at once: bounds the memory

inline Error cancelledComparison() {
    return {ErrorCode::cancelled, "the comparison was cancelled"};
}

/// Calls work(first, count, part, scratch) for blocks of at most 4096 elements, in parallel over chunks, and
/// merge(part, whole) for the chunks in order. Cancelled between blocks.
template <class Part, class Scratch, class Work, class Merge>
Status streamBlocks(std::int64_t elements, const Progress& progress, Part& whole, Work&& work,
                    Merge&& merge) {
    const std::int64_t chunks = (elements + kStreamChunk - 1) / kStreamChunk;
    std::vector<Part> wave(static_cast<std::size_t>(std::min(chunks, kStreamWave)));
    for (std::int64_t start = 0; start < chunks; start += kStreamWave) {
        const std::int64_t end = std::min(chunks, start + kStreamWave);
        tbb::parallel_for(start, end, [&](std::int64_t chunk) {
            Part part{};
            auto scratch = std::make_unique<Scratch>();
            const std::int64_t first = chunk * kStreamChunk;
            const std::int64_t count = std::min(kStreamChunk, elements - first);
            for (std::int64_t at = 0; at < count && !progress.cancelled(); at += kStreamBlock)
                work(first + at, static_cast<int>(std::min(kStreamBlock, count - at)), part, *scratch);
            wave[static_cast<std::size_t>(chunk - start)] = std::move(part);
        });
        if (progress.cancelled()) return cancelledComparison();
        for (std::int64_t i = start; i < end; ++i)
            merge(std::move(wave[static_cast<std::size_t>(i - start)]), whole);
        progress(static_cast<std::uint64_t>(std::min(elements, end * kStreamChunk)),
                 static_cast<std::uint64_t>(elements));
    }
    return Done{};
}

} // namespace divdet::rules
