#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/noise.h"
#include "tensor/convert.h"

namespace divdet::findings {
namespace {

constexpr double kLargeRelative = 64; ///< largest relative error over rms(c − r)/rms(r)
constexpr double kSmall = 0.125;      ///< |r| of such elements, over rms(r)

/// Large relative errors, all where the result is small beside what it was made from.
std::optional<Finding> ofResults(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    const auto rounding = roundingNoise(pair);
    if (!rounding || quiet(pair) || !(s.rmsReference > 0)) return {};
    const double level = s.rms / s.rmsReference;
    if (!(s.maxRel.value > kLargeRelative * level)) return {};
    const PairSample& sample = pair.sample();
    std::int64_t large = 0;
    for (std::size_t i = 0; i < sample.r.size(); ++i) {
        const double r = std::fabs(sample.r[i]);
        if (r == 0 || std::fabs(sample.c[i] - sample.r[i]) <= kLargeRelative / 2 * level * r) continue;
        ++large;
        if (r > kSmall * s.rmsReference) return {};
    }
    return Finding{
        "cancellation",
        FindingClass::drift,
        fmt::format("The largest relative error, {:.3g}, stands where the result is small because its "
                    "terms cancel; against the size of the tensor the error is {:.3g}.",
                    s.maxRel.value, level),
        {{"max_rel", s.maxRel.value}, {"rms_relative", level}, {"elements", large}}};
}

struct Row {
    double error = 0;    ///< largest |c − r|, over the size of a normalised row, which is 1
    double ratio = 0;    ///< mean² over variance of the input
    double twoPass = 0;  ///< what rounding the mean alone may cost a two-pass norm
    bool scaled = false; ///< a factor explains most of the error: the variance is off, not the mean
};

/// Rows of a norm whose input has a large mean beside its spread.
std::optional<std::vector<Row>> rowsOf(const PairEvidence& pair, const TensorView& input, double eps,
                                       double u) {
    const std::int64_t width = input.shape.back(), rows = input.elements() / width;
    const auto n = static_cast<std::size_t>(width);
    std::vector<double> x(n), r(n), c(n);
    std::vector<Row> out;
    for (std::int64_t i = 0; i < rows; ++i) {
        loadAsDouble(input, i * width, x);
        loadAsDouble(pair.reference, i * width, r);
        loadAsDouble(pair.candidate, i * width, c);
        SliceSums sums;
        double mean = 0, variance = 0, size = 0, error = 0;
        for (const double v : x) mean += v / static_cast<double>(width);
        for (const double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(width);
        for (std::size_t k = 0; k < n; ++k) {
            const double e = std::fabs(c[k] - r[k]);
            error = std::isfinite(e)                       ? std::max(error, e)
                    : std::isnan(r[k]) && std::isnan(c[k]) ? error
                                                           : INFINITY;
            size = std::max(size, std::fabs(r[k]));
            sums.add(r[k], c[k]);
        }
        if (!std::isfinite(mean) || !std::isfinite(variance)) return {};
        const double spread = std::sqrt(variance + eps);
        out.push_back({size > 0 ? error / size : error, mean * mean / (variance + eps),
                       static_cast<double>(width + 1) * u * std::fabs(mean) / spread,
                       sums.fitGain().left < 0.5});
    }
    return out;
}

/// A norm is wrong in the rows whose mean is large beside their spread, and in no others: its variance is a
/// difference of two large numbers.
std::optional<Finding> ofVariance(const PairEvidence& pair) {
    const OperatorContext& op = pair.context.op;
    if (!op.opIs({"layernorm", "layer_norm", "norm", "instancenorm", "instance_norm", "groupnorm",
                  "group_norm", "var", "std"}))
        return {};
    const double u = std::max(unitRoundoff(pair), 0x1p-24);
    for (const auto& [name, t] : pair.context.inputs) {
        if (t.shape() != pair.reference.shape || t.shape().empty() ||
            kind(t.dtype()) != DTypeKind::floating || t.elements() == 0 || t.shape().back() < 2)
            continue;
        const auto rows = rowsOf(pair, t.view(), op.eps.value_or(0), u);
        if (!rows) continue;
        constexpr double kRight = 1e-3; // of a row: far above roundings, far below a lost variance
        double rightUpTo = 0, wrongFrom = INFINITY, worst = 0, beyond = 0;
        std::int64_t wrong = 0, at = -1;
        for (std::size_t i = 0; i < rows->size(); ++i) {
            const Row& row = (*rows)[i];
            if (row.error <= std::max(kRight, 64 * unitRoundoff(pair))) {
                rightUpTo = std::max(rightUpTo, row.ratio);
                continue;
            }
            ++wrong;
            wrongFrom = std::min(wrongFrom, row.ratio);
            beyond = std::max(beyond, row.scaled ? INFINITY : row.error / std::max(row.twoPass, 1e-300));
            if (row.error > worst) {
                worst = row.error;
                at = static_cast<std::int64_t>(i);
            }
        }
        // One-pass variance loses u·(mean/std)² of itself: that has to be visible where rows are wrong.
        if (wrong == 0 || wrongFrom <= rightUpTo || wrongFrom * u * 16 < kRight || beyond <= 1) continue;
        const bool declared = pair.context.declared.has(LossyStep::onePassVariance);
        return Finding{
            "cancellation",
            declared ? FindingClass::drift : FindingClass::bug,
            fmt::format(
                "Exactly the {} rows whose squared mean is at least {:.3g} times their variance are wrong "
                "(row {} by {:.3g} of its size): the variance was taken as mean of squares minus squared "
                "mean{}.",
                wrong, wrongFrom, at, worst, declared ? ", which is declared" : ""),
            {{"rows_wrong", wrong},
             {"ratio_from", wrongFrom},
             {"right_up_to", rightUpTo},
             {"row", at},
             {"error", worst}}};
    }
    return {};
}

} // namespace

/// Digits lost because large numbers cancel: honestly, in single results; or in a norm, whose formula can do
/// without.
std::optional<Finding> cancellation(const PairEvidence& pair) {
    if (!realFloating(pair)) return {};
    if (!pair.context.inputs.empty() && !quiet(pair))
        if (auto f = ofVariance(pair)) return f;
    return ofResults(pair);
}

} // namespace divdet::findings
