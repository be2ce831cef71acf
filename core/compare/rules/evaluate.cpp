#include "compare/rules/evaluate.h"

#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "compare/rules/eager_rmse.h"
#include "compare/rules/numpy_rule.h"
#include "compare/rules/plain_rule.h"
#include "compare/rules/polygraphy_rule.h"
#include "compare/rules/torch_rule.h"
#include "tensor/select.h"

namespace divdet {
namespace {

Result<rules::BlockRule> elementRule(const RuleInput& in, const Tolerance& t) {
    switch (t.rule) {
    case Rule::numpy:
        return rules::numpyRule(in.reference, in.candidate, t);
    case Rule::torch:
        return rules::torchRule(in.reference, in.candidate, t);
    case Rule::polygraphyElemwise:
        return rules::polygraphyElemwise(in.reference, in.candidate, t);
    default:
        return rules::plainRule(in.reference, in.candidate, t);
    }
}

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
    auto rule = elementRule(in, t);
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
    const std::array<std::byte, 16> nothing{};
    const TensorView r{reference, {0}, {0}, nothing.data(), false};
    const TensorView c{candidate, {0}, {0}, nothing.data(), false};
    auto out = once({r, c, {}, {}}, {rule, 0, 0, false}, {});
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
