#include "session/advise/honest_runs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "block/run_bytes.h"
#include "judge/envelope/rules.h"

namespace divdet {
namespace {

constexpr std::uint64_t kInputBytes = 4;    ///< of a draw
constexpr std::uint64_t kOutputBytes = 128; ///< reference, result, ExpectedElement, and its place in a table
constexpr double kWider = 1.1;              ///< below it, theory stands as it is
constexpr double kLeastShare = 0.05;        ///< of the variance: below it the last rounding hides the spread

/// Squares of the errors and of what theory expects, each element in units of its own variance.
struct Spread {
    double squares = 0, ofSums = 0, ofRounding = 0;

    void add(const honest::ExpectedElement& e, double c, DType output) {
        const double step = envelope::ulpOf(e.reference + e.shift, output);
        const double v = e.sigma * e.sigma + step * step / 12, d = c - e.reference - e.shift;
        if (e.sigma == 0 || !std::isfinite(d)) return;
        squares += d * d / v;
        ofSums += e.sigma * e.sigma / v;
        ofRounding += step * step / 12 / v;
    }

    double widening() const {
        if (ofSums < kLeastShare * (ofSums + ofRounding)) return 1;
        const double factor = std::sqrt(std::max(0.0, squares - ofRounding) / ofSums);
        return factor > kWider ? factor : 1;
    }
};

} // namespace

std::uint64_t honestRunBytes(const AdvisedBlock& b, int draws) {
    // bind() has bounded the numbers, so that no product overflows.
    std::uint64_t inputs = 0;
    for (std::size_t i = 0; i < b.block.shapes.size(); ++i)
        if (b.block.graph.values[i].role != block::Role::intermediate)
            inputs += static_cast<std::uint64_t>(*elementCount(b.block.shapes[i]));
    const auto outputs = static_cast<std::uint64_t>(b.outputElements());
    return block::runBytes(b.block) +
           static_cast<std::uint64_t>(draws) * (inputs * kInputBytes + outputs * kOutputBytes);
}

Status checkHonestRunBytes(const AdvisedBlock& b, int draws) {
    const std::uint64_t bytes = honestRunBytes(b, draws);
    if (bytes <= block::maxRunBytes()) return Done{};
    return Error{ErrorCode::refused,
                 fmt::format("{} draws of this block would hold {} at once, and at most {} are allowed",
                             draws, block::bytesText(bytes), block::bytesText(block::maxRunBytes())),
                 b.block.graph.name,
                 "make the sizes smaller, or allow more (DIVDET_MAX_GIB); a tolerance for more elements than "
                 "are drawn: --elements"};
}

Result<HonestRuns> honestRuns(const AdvisedBlock& b, std::uint64_t seed, int draws,
                              const AdviseTarget& target, const Progress& progress) {
    if (auto s = checkHonestRunBytes(b, draws); !s) return s.error();
    HonestRuns out{honest::HonestErrors(b.output), {}, {}};
    std::vector<std::vector<honest::ExpectedElement>> all;
    Spread spread;
    for (int i = 0; i < draws; ++i) {
        progress(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(draws), "honest runs");
        auto draw = drawData(b, seed + static_cast<std::uint64_t>(i), target, progress);
        if (!draw) return draw.error();
        auto expected = expectedOf(b, *draw, target, progress);
        if (!expected) return expected.error();
        auto outputs = outputsOf(b, *draw, {}, target, progress);
        if (!outputs) return outputs.error();
        for (std::size_t e = 0; e < outputs->size(); ++e) spread.add((*expected)[e], (*outputs)[e], b.output);
        all.push_back(std::move(*expected));
        out.draws.push_back(std::move(*draw));
        out.outputs.push_back(std::move(*outputs));
    }
    out.widening = spread.widening();
    for (auto& expected : all) {
        for (auto& e : expected) e.sigma *= out.widening;
        out.errors.add(expected);
    }
    out.errors.finish();
    return out;
}

} // namespace divdet
