#include <cmath>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/noise.h"
#include "judge/value_grid.h"

namespace divdet::findings {
namespace {

/// Rounding once is half an ulp; the reference itself was rounded too.
constexpr double kOnce = 0.52;
constexpr double kInner = 24; ///< roundings between two taps that store in that type

} // namespace

/// All of the candidate lies on a coarser grid than its type: how it was stored, or what sums were kept in.
std::optional<Finding> coarseGrid(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (s.equal == s.finite || s.rmsReference == 0) return {};
    const auto grid = valueGrid(pair);
    if (!grid) return {};
    const Declared& d = pair.context.declared;
    const DType result = coarser(pair.reference.dtype, pair.candidate.dtype);
    const bool stored = d.outputRoundoff() >= grid->unit;
    const bool summed =
        grid->bits == 8 ? d.bf16Partials(result) : d.fp16Partials(result) || d.bf16Partials(result);
    const double level = s.rms / s.rmsReference, inner = 2 * grid->unit * std::sqrt(kInner / 6);
    std::string why;
    FindingClass kind = FindingClass::note;
    if (grid->largestUlps <= kOnce) {
        kind = FindingClass::drift;
        why = "no value is further off than rounding once to it makes it";
    } else if (stored || summed) {
        kind = level <= noiseModel(pair).honest ? FindingClass::drift : FindingClass::note;
        why = "which the declared steps explain";
    } else if (level > inner && grid->bits > 4) {
        kind = FindingClass::bug;
        why = fmt::format(
            "and the error, {:.1f} ulps of it on average, is more than storing in it makes: sums were "
            "kept in that type",
            grid->meanUlps);
    } else {
        kind = FindingClass::unclear;
        why = fmt::format(
            "off by {:.2f} ulps of it on average, up to {:.1f}: it was stored in that type, or sums "
            "were kept in it; declare {}-output if that is meant",
            grid->meanUlps, grid->largestUlps, grid->type);
    }
    return Finding{"coarse-grid",
                   kind,
                   fmt::format("Every value of the candidate is one of {}, though its type is {}: {}.",
                               grid->type, name(pair.candidate.dtype), why),
                   {{"grid", std::string(grid->type)},
                    {"bits", static_cast<std::int64_t>(grid->bits)},
                    {"mean_ulps", grid->meanUlps},
                    {"max_ulps", grid->largestUlps}}};
}

} // namespace divdet::findings
