#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/linear_error.h"
#include "judge/slice_state.h"

namespace divdet::findings {
namespace {

constexpr std::int64_t kFewestZeros = 16;
constexpr double kLeastZeros = 0.01; ///< share of the elements with a zero on one side
constexpr double kSurvivors = 0.99;  ///< share of elements non-zero on both sides that agree
constexpr double kMostIsolated = 0.01;
constexpr double kLarge = 0.1; ///< isolated errors over the typical size

/// Zeros fall where they like on both sides, and what survives agrees: two draws of one random operator.
std::optional<Finding> twoDraws(const PairEvidence& pair) {
    if (std::min(pair.summary.zero.reference, pair.summary.zero.candidate) < kFewestZeros) return {};
    const PairSample& s = pair.sample();
    const double unit = unitRoundoff(pair);
    std::int64_t onlyR = 0, onlyC = 0, both = 0, agree = 0, all = 0;
    for (std::size_t i = 0; i < s.r.size(); ++i) {
        ++all;
        onlyR += s.r[i] == 0 && s.c[i] != 0;
        onlyC += s.c[i] == 0 && s.r[i] != 0;
        if (s.r[i] == 0 || s.c[i] == 0) continue;
        ++both;
        agree += std::fabs(s.c[i] - s.r[i]) <= 8 * unit * std::fabs(s.r[i]);
    }
    if (std::min(onlyR, onlyC) < kFewestZeros ||
        static_cast<double>(onlyR + onlyC) < kLeastZeros * static_cast<double>(all))
        return {};
    if (std::max(onlyR, onlyC) > 2 * std::min(onlyR, onlyC)) return {};
    if (both == 0 || static_cast<double>(agree) < kSurvivors * static_cast<double>(both)) return {};
    // Whole slices of zeros are a structure.
    for (const auto& axis : s.axes)
        for (const SliceSums& slice : axis)
            if (slice.n >= 16 && (slice.c2 == 0) != (slice.r2 == 0)) return {};
    return Finding{
        "random-mismatch",
        FindingClass::unclear,
        fmt::format(
            "{} elements are zero in the reference only and {} in the candidate only, at random, and where "
            "neither is zero they agree: two draws of a random operator, such as dropout. Compare runs in "
            "evaluation mode or with one seed.",
            onlyR, onlyC),
        {{"zero_in_reference", onlyR}, {"zero_in_candidate", onlyC}, {"agree", agree}}};
}

/// Whether the same elements are wrong by the same amount in every run; none: there are no further runs.
std::optional<bool> repeats(const PairEvidence& pair, const std::vector<std::size_t>& wrong) {
    if (pair.context.runs.empty()) return {};
    const PairSample& s = pair.sample();
    for (const Tensor& run : pair.context.runs) {
        PairEvidence other{pair.reference, run.view(), pair.mask, pair.summary, pair.progress, pair.context};
        const PairSample& t = other.sample();
        for (const std::size_t i : wrong)
            if (i >= t.c.size() || t.c[i] != s.c[i]) return false;
    }
    return true;
}

/// A few elements are far off, here and there, and the rest is clean.
std::optional<Finding> isolated(const PairEvidence& pair) {
    const PairSample& s = pair.sample();
    const ErrorLimits limits = errorLimits(pair);
    const double size = typicalSize(s);
    if (!realFloating(pair) || size == 0 || s.r.size() < 256) return {};
    std::vector<std::size_t> wrong;
    std::vector<double> errors;
    for (std::size_t i = 0; i < s.r.size(); ++i) {
        const double e = errorAt(s, i);
        if (e <= limits.clean) continue;
        if (!(e > std::max(limits.wrong, kLarge * size)) || std::isinf(e)) return {};
        wrong.push_back(i);
        errors.push_back(e);
    }
    if (wrong.empty() || static_cast<double>(wrong.size()) > kMostIsolated * static_cast<double>(s.r.size()))
        return {};
    // On a grid a value that lies between two steps may honestly fall on either.
    const auto [low, high] = std::minmax_element(errors.begin(), errors.end());
    if (errors.size() > 1 && *high - *low <= 1e-3 * *high) return {};
    if (errors.size() == 1 && errors[0] < 2 * s.all.maxReference && errors[0] < 4 * size) return {};
    // No two of them in one slice of an axis much more often than chance has it.
    std::int64_t below = 1;
    for (std::size_t axis = pair.reference.shape.size(); axis-- > 0; below *= pair.reference.shape[axis]) {
        const std::int64_t n = pair.reference.shape[axis];
        std::set<std::int64_t> slices;
        for (const std::size_t i : wrong) slices.insert(s.index[i] / below % n);
        const double expected = static_cast<double>(n) * (1 - std::pow(1 - 1 / static_cast<double>(n),
                                                                       static_cast<double>(wrong.size())));
        if (static_cast<double>(slices.size()) < 0.5 * expected) return {};
    }
    const auto same = repeats(pair, wrong);
    return Finding{
        "random-mismatch",
        FindingClass::bug,
        fmt::format("{} of {} elements are off by {:.3g} to {:.3g}, in no pattern, and all others agree{}.",
                    wrong.size(), s.r.size(), *low, *high,
                    !same   ? ""
                    : *same ? "; it is the same in every run"
                            : "; each run has others, as without a barrier between two steps"),
        {{"count", static_cast<std::int64_t>(wrong.size())},
         {"smallest", *low},
         {"largest", *high},
         {"first", unravel(s.index[wrong.front()], pair.reference.shape)}}};
}

} // namespace

/// Large errors without a pattern.
std::optional<Finding> randomMismatch(const PairEvidence& pair) {
    if (!realFloating(pair) || quiet(pair) || pair.summary.never > 0) return {};
    if (explainedAsWhole(pair)) return {};
    if (auto f = twoDraws(pair)) return f;
    if (pair.summary.maxAbs.value <= errorLimits(pair).wrong) return {};
    if (onset(pair) || border(pair) || permuted(pair) || transposed(pair) || clipped(pair)) return {};
    return isolated(pair);
}

} // namespace divdet::findings
