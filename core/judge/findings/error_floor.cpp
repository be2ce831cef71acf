#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/noise.h"
#include "judge/structure.h"

namespace divdet::findings {
namespace {

constexpr std::int64_t kFewest = 32; ///< elements of an octave of |r|
constexpr int kFewestOctaves = 3;
constexpr double kFlat = 2.5;                ///< largest over smallest rms error of the octaves
constexpr std::ptrdiff_t kMostLevels = 1025; ///< of a grid: 8 bits with sign, and room

/// rms error per octave of |r|, from the half-octave bins of the histogram (whose rows are half octaves of
/// the error: their middle is near enough).
std::vector<double> byOctave(const ErrorHistogram& h) {
    std::vector<double> out;
    for (int column = 2; column + 1 < ErrorHistogram::kColumns - 1; column += 2) {
        double sum = 0;
        std::int64_t n = 0;
        for (int c = column; c < column + 2; ++c)
            for (int row = 0; row < ErrorHistogram::kRows; ++row) {
                const std::int64_t count = h.count(c, row);
                if (!count) continue;
                const auto [low, high] = ErrorHistogram::rowRange(row);
                const double e = std::isinf(high) ? low : (low + high) / 2;
                sum += static_cast<double>(count) * e * e;
                n += count;
            }
        if (n >= kFewest) out.push_back(std::sqrt(sum / static_cast<double>(n)));
    }
    return out;
}

/// The step of the grid that all values lie on, when it explains every error as rounding to it; 0: none.
double stepOf(const std::vector<double>& c, double largestError) {
    if (std::set<double>(c.begin(), c.begin() + std::min<std::ptrdiff_t>(std::ssize(c), 4 * kMostLevels))
            .size() > 2 * kMostLevels) // either sign
        return 0;
    std::vector<double> levels;
    for (const double x : c)
        if (x != 0 && std::isfinite(x)) levels.push_back(std::fabs(x));
    std::sort(levels.begin(), levels.end());
    double step = levels.empty() ? 0 : levels.front();
    std::ptrdiff_t distinct = levels.empty() ? 0 : 1;
    for (std::size_t i = 1; i < levels.size(); ++i) {
        const double gap = levels[i] - levels[i - 1];
        if (gap <= 1e-6 * levels[i]) continue;
        step = std::min(step, gap);
        if (++distinct > kMostLevels) return 0;
    }
    if (distinct < 4 || largestError > 0.505 * step) return 0;
    for (const double x : levels)
        if (std::fabs(x / step - std::nearbyint(x / step)) > 0.02) return 0;
    return step;
}

struct Steps {
    double smallest = INFINITY, largest = 0;
    std::optional<std::size_t> axis;
};

/// One step for all, or one for each slice of an axis.
std::optional<Steps> gridSteps(const PairEvidence& pair) {
    const PairSample& s = pair.sample();
    if (const double step = stepOf(s.c, s.all.maxError); step > 0) return Steps{step, step, {}};
    const Shape& shape = pair.reference.shape;
    std::int64_t below = 1;
    for (std::size_t axis = shape.size(); axis-- > 0; below *= shape[axis]) {
        const auto n = static_cast<std::size_t>(shape[axis]);
        if (n < 2 || s.c.size() < 16 * n) continue;
        std::vector<std::vector<double>> slices(n);
        for (std::size_t i = 0; i < s.c.size(); ++i)
            slices[static_cast<std::size_t>(s.index[i] / below % shape[axis])].push_back(s.c[i]);
        Steps out{INFINITY, 0, axis};
        for (std::size_t i = 0; i < n; ++i) {
            const double step = stepOf(slices[i], s.axes[axis][i].maxError);
            if (step == 0) {
                out.largest = 0;
                break;
            }
            out.smallest = std::min(out.smallest, step);
            out.largest = std::max(out.largest, step);
        }
        if (out.largest > 0) return out;
    }
    return {};
}

} // namespace

/// The error does not depend on the value: the step of a quantisation, of the tensor or of each channel.
std::optional<Finding> errorFloor(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!realFloating(pair) || quiet(pair) || s.never > 0 || s.histogram.empty() || !(s.rmsReference > 0))
        return {};
    const NoiseModel model = noiseModel(pair);
    const double level = s.rms / s.rmsReference;
    if (level <= 4 * model.unit || level > 0.25) return {};
    const auto octaves = byOctave(s.histogram);
    const auto [low, high] = octaves.empty() ? std::pair{0.0, 0.0}
                                             : std::pair{*std::min_element(octaves.begin(), octaves.end()),
                                                         *std::max_element(octaves.begin(), octaves.end())};
    const bool flat = static_cast<int>(octaves.size()) >= kFewestOctaves && low > 0 && high <= kFlat * low;
    const auto steps = gridSteps(pair);
    if (!flat && !steps) return {};
    const Declared& d = pair.context.declared;
    if (steps) {
        const std::string where =
            steps->axis ? fmt::format("one per slice of {}, from {:.3g} to {:.3g}",
                                      pair.context.axisName(*steps->axis, pair.reference.shape.size()),
                                      steps->smallest, steps->largest)
                        : fmt::format("{:.3g} for the whole tensor", steps->largest);
        Finding out{
            "error-floor",
            FindingClass::drift,
            fmt::format("The candidate lies on a grid of equal steps ({}) and no value is off by more than "
                        "half of one: a quantisation{}.",
                        where, d.int8() ? "" : ", which is not declared"),
            {{"step", steps->largest}, {"smallest_step", steps->smallest}}};
        if (steps->axis) out.evidence.emplace_back("axis", static_cast<std::int64_t>(*steps->axis));
        return out;
    }
    const bool explained =
        (d.int8() || d.fp8()) && level <= model.honest && evenOverSlices(pair) && noOutliers(pair);
    return Finding{
        "error-floor",
        explained ? FindingClass::drift : FindingClass::note,
        fmt::format("The error, {:.3g} (rms), does not depend on the value: over {} octaves of the "
                    "reference it changes by a factor of {:.2g}{}.",
                    s.rms, octaves.size(), high / low,
                    explained ? ", as the declared quantisation makes it" : ""),
        {{"rms", s.rms},
         {"step_if_quantised", s.rms * std::sqrt(12.0)},
         {"octaves", static_cast<std::int64_t>(octaves.size())}}};
}

} // namespace divdet::findings
