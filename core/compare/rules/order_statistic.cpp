#include "compare/rules/order_statistic.h"

#include <vector>

#include "compare/rules/stream_blocks.h"

namespace divdet::rules {
namespace {

constexpr int kDigitBits = 16;
constexpr std::int64_t kInMemory = 1 << 16; ///< elements held at once instead of counted by digits
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

/// Where one of the wanted elements is known to lie: its high digits, and its rank among those that share
/// them.
struct Target {
    std::uint64_t prefix = 0;
    std::int64_t rank = 0;
};

using Counts = std::vector<std::int64_t>;

/// How many of the keys that start with `prefix` have each next digit.
Result<Counts> countDigit(std::int64_t elements, const LoadKeys& keys, std::uint64_t prefix, int shift,
                          const Progress& progress) {
    Counts whole(kDigits, 0);
    const auto merge = [](Counts&& part, Counts& into) {
        for (std::size_t d = 0; d < part.size(); ++d) into[d] += part[d];
    };
    auto status = streamBlocks<Counts, std::array<std::uint64_t, kStreamBlock>>(
        elements, progress, whole,
        [&](std::int64_t first, int count, Counts& part, auto& scratch) {
            if (part.empty()) part.assign(kDigits, 0);
            keys(first, count, scratch.data());
            for (int n = 0; n < count; ++n) {
                const std::uint64_t key = scratch[static_cast<std::size_t>(n)];
                const bool member = shift + kDigitBits == 64 || key >> (shift + kDigitBits) == prefix;
                if (member) ++part[key >> shift & (kDigits - 1)];
            }
        },
        merge);
    if (!status) return status.error();
    return whole;
}

/// Few enough to hold: one pass, and no histogram to clear.
std::array<std::uint64_t, 2> bySelection(std::int64_t elements, const LoadKeys& keys, std::int64_t rank) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(elements));
    for (std::int64_t at = 0; at < elements; at += kStreamBlock)
        keys(at, static_cast<int>(std::min(kStreamBlock, elements - at)), all.data() + at);
    const auto nth = all.begin() + rank;
    std::nth_element(all.begin(), nth, all.end());
    const auto next = std::min_element(nth + 1, all.end());
    return {*nth, next == all.end() ? *nth : *next};
}

void descend(const Counts& counts, Target& t) {
    for (std::size_t d = 0; d < kDigits; ++d) {
        if (t.rank < counts[d]) {
            t.prefix = t.prefix << kDigitBits | d;
            return;
        }
        t.rank -= counts[d];
    }
}

} // namespace

Result<std::array<std::uint64_t, 2>> orderStatistics(std::int64_t elements, const LoadKeys& keys,
                                                     std::int64_t rank, const Progress& progress) {
    if (elements <= kInMemory) {
        if (progress.cancelled()) return cancelledComparison();
        return bySelection(elements, keys, rank);
    }
    std::array<Target, 2> targets{Target{0, rank}, Target{0, std::min(rank + 1, elements - 1)}};
    for (int shift = 64 - kDigitBits; shift >= 0; shift -= kDigitBits) {
        const bool together = targets[0].prefix == targets[1].prefix;
        const std::uint64_t second = targets[1].prefix;
        auto counts = countDigit(elements, keys, targets[0].prefix, shift, progress);
        if (!counts) return counts.error();
        descend(*counts, targets[0]);
        if (!together) {
            counts = countDigit(elements, keys, second, shift, progress);
            if (!counts) return counts.error();
        }
        descend(*counts, targets[1]);
    }
    return std::array{targets[0].prefix, targets[1].prefix};
}

} // namespace divdet::rules
