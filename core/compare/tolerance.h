#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tensor/dtype.h"

namespace divdet {

/// What "close" means. e = |c − r|, m = |r|; complex elements by modulus.
/// allclose: e <= atol + rtol·m.   either: e <= atol or e <= rtol·m.
/// Under both, c == r passes, two NaNs pass only with equal-nan, and an infinity or an infinite e fails at
/// every tolerance. Values are widened to double; each operation is rounded as written.
/// The others answer as the tool they are named after, bit for bit (rules/README.md): numpy and torch per
/// element with the tool's own rounding; polygraphyElemwise per element; the remaining Polygraphy ones and
/// eagerRmse by one statistic of the whole tensor.
enum class Rule {
    allclose,
    either,
    numpy,
    torch,
    polygraphyElemwise,
    polygraphyMax,
    polygraphyMean,
    polygraphyMedian,
    polygraphyQuantile,
    eagerRmse,
};

struct RuleInfo {
    Rule rule;
    std::string_view id;      ///< as typed: `allclose`, `polygraphy-max` …
    std::string_view formula; ///< for lists and menus
    bool frontier;            ///< has all its tolerances at once; others need a scan
    bool wholeTensor;         ///< one statistic decides, no element does
};
std::span<const RuleInfo> ruleList(); ///< in the order of the enumeration
const RuleInfo& info(Rule rule);

std::string_view toString(Rule rule);
std::optional<Rule> parseRule(std::string_view text);
std::string ruleNames(); ///< all ids with commas between them, for messages

inline bool hasFrontier(Rule rule) {
    return rule == Rule::allclose || rule == Rule::either;
}
/// The rule whose frontier stands in for one that has none: allclose.
inline Rule frontierRule(Rule rule) {
    return rule == Rule::either ? Rule::either : Rule::allclose;
}

/// What some rules need besides rtol and atol.
struct RuleOptions {
    bool infinitiesEqual = false; ///< Polygraphy: the same infinity on both sides counts as no error
    double errorQuantile = 0.99;  ///< polygraphyQuantile: which quantile, in [0, 1]
    double rmseTol = 1e-4;        ///< eagerRmse: tol of the allclose tried first; tol/10 is the slack
    std::optional<double> rmseK;  ///< eagerRmse: the multiplier; none: as torch chooses it
    /// Share of the elements that may fail before the pair does, in [0, 1]; rules per element only.
    double maxMismatchFraction = 0;

    friend bool operator==(const RuleOptions&, const RuleOptions&) = default;
};

struct Tolerance {
    Rule rule = Rule::allclose;
    double rtol = 1e-2; ///< relative to |reference|; no unit
    double atol = 1e-3; ///< in the unit of the tensor
    bool equalNan = false;
    RuleOptions options = {};

    friend bool operator==(const Tolerance&, const Tolerance&) = default;
};

/// Refuses negative, NaN and infinite values with ErrorCode::usage.
Status validate(const Tolerance& tolerance);

/// The bound a finite e is held against: for `either` the larger of the two. Rules without a frontier
/// answer as allclose here; their own bound is in rules/.
inline double bound(const Tolerance& t, double magnitude) {
    const double relative = t.rtol * magnitude;
    if (t.rule != Rule::either) return t.atol + relative;
    return relative > t.atol ? relative : t.atol;
}

/// The element predicate for finite e and m with c != r.
inline bool passesFinite(const Tolerance& t, double error, double magnitude) {
    return error <= bound(t, magnitude);
}

/// The whole predicate for real elements, NaN and infinities included.
bool passes(const Tolerance& t, double candidate, double reference);

struct TolerancePreset {
    std::string_view id;
    std::string_view title; ///< whose default it is, for lists
    Rule rule;
    double rtol;
    double atol;
};

std::span<const TolerancePreset> tolerancePresets();
const TolerancePreset* findPreset(std::string_view id);

/// Preset of a pair when the user names none: fp32 when both sides are f32 or f64, else bf16.
const TolerancePreset& defaultPreset(DType reference, DType candidate);

/// Parts of a tolerance that a user named; the rest comes from the preset that fits.
struct ToleranceOverrides {
    std::optional<double> rtol, atol;
    std::optional<Rule> rule;
    bool equalNan = false;
    RuleOptions options = {};
    Tolerance over(const Tolerance& standard) const {
        return {rule.value_or(standard.rule), rtol.value_or(standard.rtol), atol.value_or(standard.atol),
                equalNan, options};
    }
};

/// atol on the path through the presets bf16 and fp32, which linked sliders follow: 1e-3·(rtol/1e-2)^(5/3).
double linkedAtol(double rtol);
/// Its inverse.
double linkedRtol(double atol);

} // namespace divdet
