#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/affine_slices.h"
#include "judge/findings.h"
#include "judge/linear_error.h"
#include "judge/noise.h"
#include "judge/separable.h"
#include "judge/simple_ratio.h"

namespace divdet::findings {
namespace {

constexpr double kRatioSlack = 1e-3;

std::string example(const PairEvidence& pair, const AffineSlices::Slice& s) {
    const auto ratio = simpleRatio(s.fit.gain, kRatioSlack, pair.reference.shape);
    std::string out =
        fmt::format("{:.4g} of the reference's{}", s.fit.gain, ratio ? fmt::format(" ({})", *ratio) : "");
    if (s.offset) out += fmt::format(", shifted by {:.4g}", s.fit.offset);
    return out;
}

Finding perChannel(const PairEvidence& pair, std::size_t axis, const AffineSlices& a) {
    const auto worst = std::max_element(a.wrong.begin(), a.wrong.end(), [](const auto& x, const auto& y) {
        return std::fabs(std::log(std::fabs(x.fit.gain))) < std::fabs(std::log(std::fabs(y.fit.gain)));
    });
    const std::string axisName = pair.context.axisName(axis, pair.reference.shape.size());
    const std::string text =
        a.wrong.size() == 1
            ? fmt::format("Along {} every value at index {} is {}; the other {} slices are not off.",
                          axisName, worst->index, example(pair, *worst), a.slices - 1)
            : fmt::format(
                  "Along {} {} of {} slices each have a factor of their own; at index {} every value is "
                  "{}.",
                  axisName, a.wrong.size(), a.slices, worst->index, example(pair, *worst));
    Finding out{"channel-gain",
                FindingClass::bug,
                text,
                {{"axis", static_cast<std::int64_t>(axis)},
                 {"slices_wrong", static_cast<std::int64_t>(a.wrong.size())},
                 {"slices", a.slices},
                 {"index", worst->index},
                 {"gain", worst->fit.gain},
                 {"unexplained", worst->fit.left}}};
    if (worst->offset) out.evidence.emplace_back("offset", worst->fit.offset);
    return out;
}

} // namespace

/// Slices of one axis are affine images of their reference, each with a factor of its own; or every element
/// is its reference times a factor of its row and one of its column.
std::optional<Finding> channelGain(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!realFloating(pair) || quiet(pair) || s.finite != s.elements || constantOutput(pair)) return {};
    if (explainedAsWhole(pair)) return {};
    std::optional<std::size_t> best;
    AffineSlices found;
    for (std::size_t axis = 0; axis < pair.reference.shape.size(); ++axis) {
        if (pair.reference.shape[axis] < 2 || !explainedByAffine(pair, axis)) continue;
        const AffineSlices a = affineSlices(pair, axis);
        // Of two axes the one that blames fewer slices says more.
        if (!best || a.wrong.size() < found.wrong.size()) {
            best = axis;
            found = a;
        }
    }
    if (best) return perChannel(pair, *best, found);
    const auto separable = separableGain(pair);
    if (!separable) return {};
    return Finding{
        "channel-gain",
        FindingClass::bug,
        fmt::format("Every value is the reference's times a factor of its {} and one of its {}: a scale "
                    "was applied along the wrong axis. The factors run from {:.3g} to {:.3g}.",
                    pair.context.axisName(separable->axes.first, pair.reference.shape.size()),
                    pair.context.axisName(separable->axes.second, pair.reference.shape.size()),
                    separable->smallest, separable->largest),
        {{"separable", std::string("factor of one axis times factor of another")},
         {"smallest", separable->smallest},
         {"largest", separable->largest},
         {"elements_explained", separable->share}}};
}

} // namespace divdet::findings
