#include "compare/rules/pairwise_mean.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include "compare/rules/stream_blocks.h"

namespace divdet::rules {
namespace {

constexpr std::int64_t kLeaf = 4096;            ///< elements loaded at once
constexpr std::int64_t kParallelFrom = 1 << 17; ///< smaller ranges stay on their thread
constexpr std::int64_t kBuffer = 8192;          ///< numpy's buffer

std::int64_t firstHalf(std::int64_t n) {
    const std::int64_t half = n / 2;
    return half - half % 8;
}

float sumInMemory(const float* a, std::int64_t n) {
    if (n < 8) {
        float sum = -0.0f;
        for (std::int64_t i = 0; i < n; ++i) sum += a[i];
        return sum;
    }
    if (n > 128) {
        const std::int64_t half = firstHalf(n);
        return sumInMemory(a, half) + sumInMemory(a + half, n - half);
    }
    float r[8];
    std::copy(a, a + 8, r);
    std::int64_t i = 8;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; ++k) r[k] += a[i + k];
    float sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; ++i) sum += a[i];
    return sum;
}

struct Summer {
    const LoadFloats& load;
    const Progress& progress;

    float operator()(std::int64_t first, std::int64_t n) const {
        if (progress.cancelled()) return 0;
        if (n <= kLeaf) {
            float block[kLeaf];
            load(first, static_cast<int>(n), block);
            return sumInMemory(block, n);
        }
        const std::int64_t half = firstHalf(n);
        float a = 0, b = 0;
        const auto left = [&] { a = (*this)(first, half); };
        const auto right = [&] { b = (*this)(first + half, n - half); };
        if (n >= kParallelFrom) {
            tbb::parallel_invoke(left, right);
        } else {
            left();
            right();
        }
        return a + b;
    }
};

} // namespace

Result<float> pairwiseMean(std::int64_t elements, bool buffered, const LoadFloats& load,
                           const Progress& progress) {
    if (elements == 0) return std::numeric_limits<float>::quiet_NaN();
    const Summer sum{load, progress};
    float total = 0;
    if (!buffered) {
        total += sum(0, elements);
    } else {
        std::vector<float> parts(static_cast<std::size_t>((elements + kBuffer - 1) / kBuffer));
        tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
            const std::int64_t first = static_cast<std::int64_t>(i) * kBuffer;
            parts[i] = sum(first, std::min(kBuffer, elements - first));
        });
        for (const float p : parts) total += p;
    }
    if (progress.cancelled()) return cancelledComparison();
    return total / static_cast<float>(elements);
}

} // namespace divdet::rules
