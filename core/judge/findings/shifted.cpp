#include <array>
#include <cmath>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/gradient_fit.h"
#include "judge/linear_error.h"
#include "judge/noise.h"
#include "judge/reordered.h"

namespace divdet::findings {
namespace {

constexpr std::array<std::int64_t, 8> kSteps{1, 2, 3, 4, 8, 16, 32, 64};
/// Below this share of the error a shift by part of a step does not explain it.
constexpr double kExplains = 0.75;
constexpr double kLeastShift = 0.02; ///< in steps of an axis

std::optional<Finding> wholeSteps(const PairEvidence& pair) {
    const Shape& shape = pair.reference.shape;
    std::int64_t below = 1;
    for (std::size_t a = shape.size(); a-- > 0; below *= shape[a]) {
        for (const std::int64_t step : kSteps) {
            if (step * 2 > shape[a]) break;
            for (const std::int64_t k : {step, -step}) {
                const auto source = [&](std::int64_t i) -> std::int64_t {
                    const std::int64_t at = i / below % shape[a] - k;
                    return at < 0 || at >= shape[a] ? -1 : i - k * below;
                };
                if (!isReordering(pair, source, 0.4)) continue;
                return Finding{
                    "shifted",
                    FindingClass::bug,
                    fmt::format("Along {} the candidate is the reference moved by {} ({} its end).",
                                pair.context.axisName(a, shape.size()), step,
                                k > 0 ? "towards" : "away from"),
                    {{"axis", static_cast<std::int64_t>(a)}, {"shift", static_cast<double>(k)}}};
            }
        }
    }
    return {};
}

} // namespace

/// Moved along an axis, by whole steps or by a part of one (where the error follows the slope of the data).
std::optional<Finding> shifted(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    const auto plain = [](DType t) { return kind(t) != DTypeKind::complex && kind(t) != DTypeKind::opaque; };
    if (!plain(pair.reference.dtype) || !plain(pair.candidate.dtype) || quiet(pair)) return {};
    if (s.finite != s.elements || s.elements < 16 || pair.mask || pair.reference.shape.empty()) return {};
    const double spread =
        std::sqrt(std::max(0.0, s.rmsReference * s.rmsReference - s.meanReference * s.meanReference));
    const NoiseModel noise = noiseModel(pair);
    if (!(s.rms > std::max(noise.bad, 16 * noise.honest) * spread) || spread == 0) return {};
    if (auto f = wholeSteps(pair)) return f;
    if (!realFloating(pair)) return {};
    if (const auto line = linearError(pair); line && std::min(line->gainLeft, line->shiftLeft) < 0.1)
        return {};
    const auto fit = gradientFit(pair);
    if (!fit || fit->explained < kExplains || std::hypot(fit->rows, fit->columns) < kLeastShift) return {};
    return Finding{
        "shifted",
        FindingClass::unclear,
        fmt::format(
            "The error follows the slope of the data: {:.3g} % of it is explained by a shift of {:.3g} "
            "elements along the last axis{}. Two conventions of where an element lies look like this.",
            100 * fit->explained, fit->columns,
            pair.reference.shape.size() > 1 ? fmt::format(" and {:.3g} along the one before", fit->rows)
                                            : ""),
        {{"columns", fit->columns}, {"rows", fit->rows}, {"explained", fit->explained}}};
}

} // namespace divdet::findings
