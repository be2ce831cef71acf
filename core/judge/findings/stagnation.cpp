#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/noise.h"
#include "judge/pile_up.h"
#include "judge/slice_state.h"
#include "judge/value_grid.h"

namespace divdet::findings {
namespace {

constexpr std::size_t kFewest = 64, kBins = 8;
constexpr double kShortAtTop = 0.05, kShortAtBottom = 0.02;

bool isSum(const PairEvidence& pair) {
    return pair.context.op.opIs({"sum", "cumsum", "mean", "reduc", "scatter", "norm", "matmul", "linear",
                                 "dot", "softmax", "einsum", "gemm", "conv"});
}

/// 2^bits, at which a counter of ones in that type stops.
const char* accumulatorOf(double plateau, const std::optional<ValueGrid>& grid) {
    int e = 0;
    if (std::frexp(plateau, &e) != 0.5) return nullptr;
    if (grid) return grid->bits == 8 ? "bf16" : grid->bits == 11 ? "fp16" : nullptr;
    return plateau == 256 ? "bf16" : plateau == 2048 ? "fp16" : nullptr;
}

/// Values stop at a power of two.
std::optional<Finding> plateau(const PairEvidence& pair) {
    const auto p = pileUp(pair);
    if (!p || p->axis) return {};
    const auto grid = valueGrid(pair);
    const char* type = accumulatorOf(p->limit, grid);
    if (!type || (!grid && !isSum(pair))) return {};
    const PairSample& s = pair.sample();
    std::int64_t onset = -1;
    for (std::size_t i = 0; i < s.c.size() && onset < 0; ++i)
        if (std::fabs(s.c[i]) == p->limit && std::fabs(s.r[i]) > p->limit) onset = s.index[i];
    return Finding{
        "stagnation",
        FindingClass::bug,
        fmt::format("Sums stop growing at {:g}, while the reference goes on to {:g}: a {} accumulator no "
                    "longer sees what is added.",
                    p->limit, p->beyond, type),
        {{"plateau", p->limit},
         {"beyond", p->beyond},
         {"accumulator", std::string(type)},
         {"first", unravel(onset, pair.reference.shape)},
         {"stopped", p->stopped}}};
}

/// The larger the result the larger the share that is missing.
std::optional<Finding> growingShortfall(const PairEvidence& pair) {
    const auto grid = valueGrid(pair);
    if (!grid && !isSum(pair)) return {};
    const PairSample& s = pair.sample();
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < s.r.size(); ++i)
        if (s.r[i] != 0 && std::isfinite(s.r[i]) && std::isfinite(s.c[i])) order.push_back(i);
    if (order.size() < kFewest) return {};
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return std::fabs(s.r[a]) < std::fabs(s.r[b]); });
    std::vector<double> missing(kBins, 0.0);
    std::size_t over = 0;
    for (std::size_t b = 0; b < kBins; ++b) {
        const std::size_t from = b * order.size() / kBins, to = (b + 1) * order.size() / kBins;
        for (std::size_t k = from; k < to; ++k) {
            const std::size_t i = order[k];
            missing[b] += 1 - s.c[i] / s.r[i];
            if (b + 1 == kBins) over += s.c[i] / s.r[i] > 1;
        }
        missing[b] /= static_cast<double>(to - from);
    }
    const double top = missing.back(), bottom = missing.front();
    if (top < kShortAtTop || std::fabs(bottom) > kShortAtBottom || top < 4 * std::fabs(bottom) || over > 0)
        return {};
    for (std::size_t b = 1; b < kBins; ++b)
        if (missing[b] < missing[b - 1] - 0.2 * top) return {};
    const double largest = std::fabs(s.r[order.back()]), smallest = std::fabs(s.r[order.front()]);
    if (!(largest > 4 * smallest)) return {};
    return Finding{
        "stagnation",
        FindingClass::bug,
        fmt::format(
            "The larger the sum the more of it is missing: {:.3g} % near {:.3g}, {:.3g} % near {:.3g}{}.",
            100 * bottom, smallest, 100 * top, largest,
            grid ? fmt::format("; all values are {}, which the accumulator was", grid->type) : ""),
        {{"missing_small", bottom},
         {"missing_large", top},
         {"accumulator", grid ? std::string(grid->type) : "unknown"}}};
}

} // namespace

/// Sums fall short, the more so the larger they are: an accumulator that is too coarse for them.
std::optional<Finding> stagnation(const PairEvidence& pair) {
    if (!realFloating(pair) || quiet(pair) || pair.summary.never > 0 || constantOutput(pair)) return {};
    if (!anySliceOff(pair, kShortAtBottom)) return {};
    if (auto f = plateau(pair)) return f;
    return growingShortfall(pair);
}

} // namespace divdet::findings
