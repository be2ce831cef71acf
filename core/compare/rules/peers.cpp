#include "compare/rules/peers.h"

#include <cmath>
#include <optional>

#include "compare/rules/element_rule.h"
#include "compare/rules/evaluate.h"
#include "compare/rules/numpy_rule.h"
#include "compare/rules/polygraphy_block.h"
#include "compare/rules/precision.h"

namespace divdet {
namespace {

using rules::Precision;

/// Rounding of a format: relative, and absolute near zero; and the largest number.
struct Rounding {
    double relative, absolute, largest;
};

Rounding roundingOf(Precision p) {
    switch (p) {
    case Precision::f64:
        return {0x1p-53, 0x1p-1074, 0x1p1023};
    case Precision::f32:
        return {0x1p-24, 0x1p-149, 0x1p127};
    case Precision::f16:
        return {0x1p-11, 0x1p-24, 32768.0};
    case Precision::bf16:
        return {0x1p-8, 0x1p-133, 0x1p127};
    }
    return {1, 1, 0};
}

Precision coarser(Precision a, Precision b) {
    return roundingOf(a).relative > roundingOf(b).relative ? a : b;
}

/// The coarsest rounding a rule does between values that it holds exactly; none: it does not hold them.
std::optional<Precision> roundingOfRule(Rule rule, const RuleInput& in, const Summary& s) {
    const DType r = in.reference.dtype, c = in.candidate.dtype;
    const bool integers = rules::isInteger(r) || rules::isInteger(c);
    // Integers beyond 2^24 are no floats, beyond 2^53 no doubles.
    const double exactTo = rule == Rule::torch ? 0x1p24 : 0x1p53;
    if (integers && !(s.maxMagnitude + s.maxAbs.value < exactTo)) return std::nullopt;
    switch (rule) {
    case Rule::numpy:
        return coarser(rules::numpyBoundPrecision(r), rules::numpyDifferencePrecision(r, c));
    case Rule::torch:
        if (r == DType::f16) return Precision::f16;
        if (r == DType::bf16) return Precision::bf16;
        return r == DType::f64 || r == DType::c128 ? Precision::f64 : Precision::f32;
    case Rule::polygraphyElemwise:
        if (rules::isInteger(r) && rules::isInteger(c)) return std::nullopt; // differences wrap
        return Precision::f32;
    default:
        return Precision::f64;
    }
}

/// The answer of a rule from the frontier of the plain one it rounds, where rounding cannot change it: errors
/// and bounds move by a few units of the coarsest format, so a tolerance that much tighter or looser decides.
std::optional<bool> answerFromFrontier(Rule rule, const RuleInput& in, const Summary& s, const Tolerance& t) {
    const Tolerance plain{rule == Rule::polygraphyElemwise ? Rule::either : frontierRule(rule), t.rtol,
                          t.atol, t.equalNan};
    if (hasFrontier(rule)) {
        if (s.neverPass(t.equalNan)) return false;
        const FrontierAnswer a = s.frontier.answer(plain);
        if (a == FrontierAnswer::rescan) return std::nullopt;
        return a == FrontierAnswer::passes;
    }
    if (rules::isFp8(in.reference.dtype) && rule == Rule::torch) return std::nullopt; // bits, not values
    if (rule == Rule::polygraphyElemwise) {
        if (s.inf.both > 0 && !t.options.infinitiesEqual) return false;
        if (s.nan.both > 0 || s.nan.reference > 0 || s.nan.candidate > 0) return false;
        // A zero reference counts as 2^-52 there.
        if (s.zero.reference > 0 && !(t.atol >= t.rtol * 0x1p-52)) return std::nullopt;
    }
    if (s.neverPass(t.equalNan)) return std::nullopt; // an overflow in a narrow type may be let pass
    const auto precision = roundingOfRule(rule, in, s);
    if (!precision) return std::nullopt;
    const Rounding u = roundingOf(*precision);
    if (!(4 * (s.maxMagnitude + s.maxAbs.value + t.atol + t.rtol * s.maxMagnitude) < u.largest))
        return std::nullopt;
    const double few = 8 * u.relative, tiny = 8 * u.absolute;
    Tolerance tight = plain, loose = plain;
    tight.rtol *= 1 - few;
    tight.atol = tight.atol * (1 - few) - tiny;
    loose.rtol *= 1 + few;
    loose.atol = loose.atol * (1 + few) + tiny;
    if (tight.atol >= 0 && s.frontier.answer(tight) == FrontierAnswer::passes) return true;
    if (s.frontier.answer(loose) == FrontierAnswer::fails) return false;
    if (s.frontier.empty()) return true; // nothing differs
    return std::nullopt;
}

bool applies(Rule rule, const RuleInput& in) {
    return checkRuleTakes(rule, in.reference.dtype, in.candidate.dtype).ok();
}

/// Both rules' view of one element.
Status describe(const RuleInput& in, const Tolerance& judged, const Tolerance& other, RuleDisagreement& d) {
    auto block = std::make_unique<rules::RuleBlock>();
    if (!info(judged.rule).wholeTensor) {
        auto mine = rules::elementRule(in, judged);
        if (!mine) return mine.error();
        (*mine)(d.index, 1, *block);
        d.judgedError = block->error[0];
        d.judgedBound = block->bound[0];
    }
    auto theirs = rules::elementRule(in, other);
    if (!theirs) return theirs.error();
    (*theirs)(d.index, 1, *block);
    d.error = block->error[0];
    d.bound = block->bound[0];
    d.reference = block->reference[0];
    d.candidate = block->candidate[0];
    return Done{};
}

/// The first element that fails under the failing one of the two rules.
Result<RuleDisagreement> explained(const RuleInput& in, const Tolerance& judged, const Tolerance& other,
                                   bool otherPasses, const Progress& progress) {
    RuleDisagreement out;
    out.rule = other.rule;
    out.passes = otherPasses;
    const Tolerance& failing = otherPasses ? judged : other;
    if (info(failing.rule).wholeTensor) return out;
    auto first = rules::firstMismatch(in, failing, progress);
    if (!first) return first.error();
    out.index = *first;
    if (out.index < 0) return out;
    if (auto s = describe(in, judged, other, out); !s) return s.error();
    return out;
}

} // namespace

Result<RulePeers> disagreeingRules(const RuleInput& in, const Summary& s, const Tolerance& tolerance,
                                   bool passes, const Progress& progress) {
    RulePeers out;
    out.tolerance = tolerance;
    // eager-rmse has tolerances of its own: there is no common one to disagree at.
    if (s.elements == 0 || tolerance.rule == Rule::eagerRmse) return out;
    for (const Rule rule :
         {Rule::allclose, Rule::either, Rule::numpy, Rule::torch, Rule::polygraphyElemwise}) {
        if (rule == tolerance.rule || !applies(rule, in)) continue;
        Tolerance other = tolerance;
        other.rule = rule;
        std::optional<bool> answer = answerFromFrontier(rule, in, s, other);
        if (!answer) {
            auto first = rules::firstMismatch(in, other, progress);
            if (!first) {
                if (first.error().code == ErrorCode::cancelled) return first.error();
                continue; // a tool that refuses gives no answer to compare with
            }
            answer = *first < 0;
        }
        if (*answer == passes) continue;
        auto d = explained(in, tolerance, other, *answer, progress);
        if (!d) return d.error();
        out.disagreeing.push_back(*d);
    }
    return out;
}

} // namespace divdet
