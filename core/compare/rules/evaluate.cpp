#include "compare/rules/evaluate.h"

#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "compare/rules/eager_rmse.h"
#include "compare/rules/element_rule.h"
#include "compare/rules/polygraphy_rule.h"
#include "tensor/select.h"

namespace divdet {
namespace {

Result<RuleOutcome> wholeTensor(const RuleInput& in, const Tolerance& t, const Progress& progress) {
    if (in.mask) {
        const Tensor reference = selected(in.reference, *in.mask);
        const Tensor candidate = selected(in.candidate, *in.mask);
        std::optional<Tensor> truth;
        if (in.fp64) truth = selected(*in.fp64, *in.mask);
        RuleInput chosen{reference.view(), candidate.view(), {}, {}};
        if (truth) chosen.fp64 = truth->view();
        return wholeTensor(chosen, t, progress);
    }
    if (t.rule != Rule::eagerRmse) return rules::polygraphyStatistic(in.reference, in.candidate, t, progress);
    rules::SameOptions same;
    same.tol = t.options.rmseTol;
    same.multiplier = t.options.rmseK;
    same.equalNan = t.equalNan;
    return rules::torchSame(in.reference, in.candidate, in.fp64, same, progress);
}

Result<RuleOutcome> once(const RuleInput& in, const Tolerance& t, const Progress& progress) {
    if (info(t.rule).wholeTensor) return wholeTensor(in, t, progress);
    auto rule = rules::elementRule(in, t);
    if (!rule) return rule.error();
    return rules::countMismatches(in, *rule, progress);
}

/// A candidate of zeros, of the same type, that takes no memory.
TensorView zerosLike(const TensorView& v) {
    static constexpr std::array<std::byte, 16> kZero{};
    TensorView out = v;
    out.data = kZero.data();
    out.strides.assign(v.shape.size(), 0);
    return out;
}

} // namespace

Status checkRuleTakes(Rule rule, DType reference, DType candidate) {
    if (hasFrontier(rule)) return Done{};
    const auto zero = [](DType type) { return zerosLike({type, {1}, {}, nullptr, false}); };
    auto out = once({zero(reference), zero(candidate), {}, {}}, {rule, 0, 0, false}, {});
    return out ? Status(Done{}) : Status(out.error());
}

Result<RuleOutcome> evaluateRule(const RuleInput& in, const Tolerance& t, const Progress& progress) {
    if (in.reference.shape != in.candidate.shape)
        return Error{ErrorCode::mismatch,
                     fmt::format("shapes differ: {} in the reference, {} in the candidate",
                                 toString(in.reference.shape), toString(in.candidate.shape))};
    auto out = once(in, t, progress);
    if (!out) return out.error();
    out->tolerance = t;
    if (!out->passes || out->elements == 0) return out;
    // Zeros against a reference of zeros are a right answer; the caller knows whether r is all zero.
    RuleInput zeros = in;
    zeros.candidate = zerosLike(in.candidate);
    auto blind = once(zeros, t, {nullptr, progress.token});
    if (!blind) return blind.error();
    out->zerosPass = blind->passes;
    return out;
}

} // namespace divdet
