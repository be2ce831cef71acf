#include <cmath>

#include <fmt/format.h>

#include "compare/ulp.h"
#include "judge/dot_scale.h"
#include "judge/findings.h"
#include "judge/noise.h"
#include "judge/structure.h"

namespace divdet::findings {
namespace {

/// Steps of the coarser dtype that a handful of roundings may move one element.
constexpr double kMostUlps = 4;
/// A mean error of this many standard errors, and above this share of an ulp of the signal, has a direction.
constexpr double kDirected = 6, kDirectedUlps = 0.05;
/// Largest error over the rms that noise may have: roundings are bounded, sums of them nearly normal.
constexpr double kPeak = 12;
constexpr double kOneWay = 0.35; ///< mean error over rms error of noise that is known to be small

Finding noise(const std::string& text, double level) {
    return {"rounding-noise", FindingClass::drift, text, {{"rms_relative", level}}};
}

std::optional<Finding> fewUlps(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!s.maxUlp || *s.maxUlp > kMostUlps) return {};
    const double u = unitRoundoff(pair);
    if (std::fabs(*s.bias) > kDirected * s.biasError &&
        std::fabs(*s.bias) > kDirectedUlps * 2 * u * s.rmsReference)
        return {};
    const auto type = ulpDType(pair.reference.dtype, pair.candidate.dtype);
    const auto ulps = static_cast<std::int64_t>(*s.maxUlp);
    return Finding{
        "rounding-noise",
        FindingClass::drift,
        fmt::format("No element is further than {} ulp{} of {} from the reference, and the errors have "
                    "no preferred direction: this is rounding.",
                    ulps, ulps == 1 ? "" : "s", name(*type)),
        {{"max_ulp", ulps},
         {"dtype", std::string(name(*type))},
         {"rms_relative", s.rmsReference > 0 ? s.rms / s.rmsReference : 0.0}}};
}

/// The tanh form of gelu is off by at most 4.8e-4, whatever the size of its input.
std::optional<Finding> ofTanhForm(const PairEvidence& pair, double level) {
    constexpr double kTanhForm = 4.8e-4;
    const Summary& s = pair.summary;
    if (!pair.context.declared.has(LossyStep::geluTanh) || !pair.context.op.opIs({"gelu"})) return {};
    if (s.maxAbs.value > kTanhForm + kPeak * noiseModel(pair).working * s.maxMagnitude) return {};
    return noise(
        fmt::format("No element is off by more than {:.3g}; the declared tanh form of gelu differs by up to "
                    "{:g}.",
                    s.maxAbs.value, kTanhForm),
        level);
}

/// A product whose operands are known: the error against the size of its terms.
std::optional<Finding> ofProduct(const PairEvidence& pair, double level) {
    const auto dot = dotScale(pair);
    if (!dot) return {};
    const NoiseModel model = noiseModel(pair);
    const Declared& d = pair.context.declared;
    const auto k = static_cast<double>(dot->k);
    const double sums = std::min(k, 8 * std::sqrt(k) + 8) * 0x1p-24 + 2 * model.unit * dot->result;
    const double perTerm = std::sqrt(k); // independent terms: the rms of a sum over ‖a‖‖b‖ is 1/√K of theirs
    const auto within = [&](double operand) {
        return dot->largest <= 2 * operand + sums && dot->rms * perTerm <= 2 * operand + perTerm * sums;
    };
    const auto say = [&](const char* what) {
        Finding f =
            noise(fmt::format("The largest error is {:.3g} of the size of the {} terms that make a result, "
                              "no more than {}: this is rounding.",
                              dot->largest, dot->k, what),
                  level);
        f.evidence.emplace_back("largest_over_terms", dot->largest);
        f.evidence.emplace_back("rms_over_terms", dot->rms);
        f.evidence.emplace_back("k", dot->k);
        return f;
    };
    if (within(0)) return say("sums in another order make");
    const double operand = d.operandRoundoff(pair.context.op.op);
    if (operand > 0 && within(operand)) return say("the declared rounding of operands makes");
    if (within(0x1p-11) && looksRandom(pair))
        return say("operands rounded to TF32 or fp16 make, which is not declared");
    return {};
}

std::optional<Finding> ofSize(const PairEvidence& pair, double level) {
    const Summary& s = pair.summary;
    const NoiseModel model = noiseModel(pair);
    const bool even = std::fabs(*s.bias) <= std::max(kOneWay * s.rms, kDirected * s.biasError);
    const auto bounded = [&](double most) { return s.maxAbs.value <= kPeak * most * s.maxMagnitude; };
    if (level <= model.working && bounded(model.working) && evenOverSlices(pair))
        return noise(
            fmt::format("The error is {:.3g} of the signal, as the roundings of {} in sums make it, and "
                        "spread evenly: this is rounding.",
                        level, name(*ulpDType(pair.reference.dtype, pair.candidate.dtype))),
            level);
    if (!even || !noOutliers(pair) || !evenOverSlices(pair)) return {};
    if (level <= model.honest)
        return noise(
            fmt::format("The error is {:.3g} of the signal and spread evenly; the declared steps ({}) make "
                        "up to {:.3g}.",
                        level, pair.context.declared.text(), model.honest),
            level);
    if (level <= kUndeclared && looksRandom(pair))
        return noise(
            fmt::format("The error is {:.3g} of the signal, dense, without direction or pattern: noise as a "
                        "lower precision makes it, which is not declared.",
                        level),
            level);
    return {};
}

} // namespace

/// Errors as rounding makes them: within some ulps, or as large as the sums, the declared steps or (where
/// they look random) a lower precision explain.
std::optional<Finding> roundingNoise(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!realFloating(pair) || s.bitIdentical || s.equal + s.nan.both == s.elements) return {};
    if (s.never > 0 || !s.bias) return {};
    if (auto f = fewUlps(pair)) return f;
    if (!(s.rmsReference > 0) || !(s.rms > 0)) return {};
    if (quiet(pair)) return {}; // within some ulps, all in one direction: not noise
    const double level = s.rms / s.rmsReference;
    if (auto f = ofTanhForm(pair, level)) return f;
    if (auto f = ofProduct(pair, level)) return evenOverSlices(pair) ? f : std::nullopt;
    return ofSize(pair, level);
}

} // namespace divdet::findings
