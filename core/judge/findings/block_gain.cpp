#include <cmath>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/linear_error.h"
#include "judge/noise.h"
#include "judge/simple_ratio.h"

namespace divdet::findings {
namespace {

constexpr std::int64_t kBlocks[] = {256, 128, 64, 32, 16, 8};
constexpr double kFits = 0.9, kRatioSlack = 1e-3;
/// Scales of neighbours that differ by less are one scale.
constexpr double kOther = 0.01;

struct Found {
    std::int64_t size = 0, wrong = 0, blocks = 0, worst = -1;
    double gain = 1;
};

/// Blocks of `size` neighbours along the last axis, each with a factor of its own. The sample ascends, so
/// that a block is complete when the next one begins.
std::optional<Found> blocksOf(const PairEvidence& pair, std::int64_t size, double least) {
    const std::int64_t width = pair.reference.shape.back(), perRow = (width + size - 1) / size;
    const PairSample& s = pair.sample();
    Found out{size, 0, 0, -1, 1};
    std::int64_t explained = 0, exceptional = 0;
    double last = 1;
    const auto finish = [&](std::int64_t at, const SliceSums& sums) {
        ++out.blocks;
        if (sums.n < 6 || sums.nonFinite || !(sums.rmsError() > least * sums.rmsReference())) return;
        const auto fit = sums.fitGain();
        ++out.wrong;
        explained += fit.left <= kMostLeft && fit.gain != 0;
        exceptional += std::fabs(fit.gain - last) > kOther * std::fabs(last);
        last = fit.gain;
        if (out.worst >= 0 &&
            std::fabs(std::log(std::fabs(fit.gain))) <= std::fabs(std::log(std::fabs(out.gain))))
            return;
        out.worst = at;
        out.gain = fit.gain;
    };
    std::int64_t block = -1;
    SliceSums sums;
    for (std::size_t i = 0; i < s.index.size(); ++i) {
        const std::int64_t at = s.index[i] / width * perRow + s.index[i] % width / size;
        if (at != block) {
            if (block >= 0) finish(block, sums);
            block = at;
            sums = {};
        }
        sums.add(s.r[i], s.c[i]);
    }
    if (block >= 0) finish(block, sums);
    if (out.wrong == 0 || static_cast<double>(explained) < kFits * static_cast<double>(out.wrong)) return {};
    // One factor for all blocks is a gain, and says nothing of blocks.
    if (exceptional < 2 && out.wrong == out.blocks) return {};
    return out;
}

} // namespace

/// Groups of neighbours along the last axis have factors of their own: a scale per group that is wrong.
std::optional<Finding> blockGain(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!realFloating(pair) || quiet(pair) || s.finite != s.elements || pair.reference.shape.empty())
        return {};
    const std::int64_t width = pair.reference.shape.back();
    if (width < 16 || constantOutput(pair) || explainedAsWhole(pair) || channelGain(pair)) return {};
    const NoiseModel noise = noiseModel(pair);
    const double least = std::max({4 * noise.honest, 4 * noise.unit, 4 * 0x1p-11});
    if (!(s.maxAbs.value > least * typicalSize(pair.sample()))) return {};
    for (const std::int64_t size : kBlocks) {
        if (size * 2 > width) continue;
        const auto found = blocksOf(pair, size, least);
        if (!found) continue;
        const std::int64_t perRow = (width + size - 1) / size;
        const auto ratio = simpleRatio(found->gain, kRatioSlack, pair.reference.shape);
        return Finding{
            "block-gain",
            FindingClass::bug,
            fmt::format(
                "{} of {} blocks of {} neighbours along the last axis have a factor of their own; columns "
                "{} to {} of row {} are {:.4g} of the reference's{}.",
                found->wrong, found->blocks, size, found->worst % perRow * size,
                std::min(found->worst % perRow * size + size, width) - 1, found->worst / perRow, found->gain,
                ratio ? fmt::format(" ({})", *ratio) : ""),
            {{"block", size},
             {"blocks_wrong", found->wrong},
             {"blocks", found->blocks},
             {"row", found->worst / perRow},
             {"column", found->worst % perRow * size},
             {"gain", found->gain}}};
    }
    return {};
}

} // namespace divdet::findings
