#include "compare/rules/eager_rmse.h"

#include <cmath>

#include <fmt/format.h>

#include "compare/rules/precision.h"
#include "compare/rules/tensor_sums.h"
#include "compare/rules/torch_rule.h"
#include "tensor/convert.h"

namespace divdet::rules {
namespace {

constexpr double kLooseTol = 4e-2;
constexpr double kCosine = 0.99;

RuleOutcome answer(bool passes, std::string note, std::int64_t elements) {
    RuleOutcome out;
    out.passes = passes;
    out.elements = elements;
    out.note = std::move(note);
    return out;
}

Result<bool> torchAllclose(const TensorView& reference, const TensorView& candidate, double tol,
                           bool equalNan, const Progress& progress) {
    auto rule = torchRule(reference, candidate, {Rule::torch, tol, tol, equalNan});
    if (!rule) return rule.error();
    auto out = countMismatches({reference, candidate, {}, {}}, *rule, progress);
    if (!out) return out.error();
    return out->passes;
}

/// A tensor rounded to the candidate's type, for the checks that torch makes in it. An element at a time
/// would do; these run only where the reference holds NaN or the types differ.
Result<Tensor> rounding(const TensorView& v, DType type) {
    return v.dtype == type ? compacted(Tensor(v, nullptr)) : converted(Tensor(v, nullptr), type);
}

double multiplier(const TensorView& reference, DType candidate, const SameOptions& o) {
    if (o.multiplier) return *o.multiplier;
    if (o.forceMaxMultiplier) return 10;
    const std::int64_t n = reference.elements();
    const Shape& s = reference.shape;
    const bool oneByOne = s.size() == 4 && s[2] == 1 && s[3] == 1;
    if (o.largerMultiplierForSmall && n <= 10) return 10;
    if (o.largerMultiplierForSmall && n <= 500) return 8;
    if (n < 1000 || oneByOne || o.tol >= 2e-2) return 3;
    return candidate == DType::f16 || candidate == DType::bf16 ? 3 : 2;
}

Result<RuleOutcome> booleans(const TensorView& reference, const TensorView& candidate, const SameOptions& o,
                             const Progress& progress) {
    const std::int64_t n = reference.elements();
    if (o.ignoreNonFloat) return answer(true, "bool is ignored", n);
    if (o.iouThreshold) {
        auto p = products(reference, candidate, progress);
        if (!p) return p.error();
        const double both = p->ab, either = p->aa + p->bb - p->ab;
        if (either == 0) return answer(true, "both masks are empty", n);
        const auto iou = static_cast<double>(static_cast<float>(both) / static_cast<float>(either));
        return answer(!(iou < *o.iouThreshold), fmt::format("intersection over union {:.4f}", iou), n);
    }
    TensorView r = reference, c = candidate;
    r.dtype = c.dtype = DType::u8; // a byte of a bool is 0 or 1
    auto close = torchAllclose(r, c, o.tol, o.equalNan, progress);
    if (!close) return close.error();
    return answer(*close, *close ? "within tol" : "uint8 tensors differ", n);
}

Result<RuleOutcome> byCosine(const TensorView& reference, const TensorView& candidate, const SameOptions& o,
                             const Progress& progress) {
    const std::int64_t n = reference.elements();
    auto r = rounding(reference, DType::f32);
    if (!r) return r.error();
    auto c = rounding(candidate, DType::f32);
    if (!c) return c.error();
    auto close = torchAllclose(r->view(), c->view(), o.tol, true, progress);
    if (!close) return close.error();
    if (*close) return answer(true, "within tol", n);
    auto p = products(r->view(), c->view(), progress);
    if (!p) return p.error();
    constexpr double kEps = 1e-6; // each norm counts as at least this
    const double score = p->ab / (std::max(std::sqrt(p->aa), kEps) * std::max(std::sqrt(p->bb), kEps));
    return answer(score >= kCosine, fmt::format("cosine {:.6f}", score), n);
}

/// Only the reference holds NaN, and the candidate is near the truth: it is the better of the two.
Result<bool> betterThanReference(const TensorView& reference, const TensorView& candidate,
                                 const TensorView& fp64, const SameOptions& o, const Progress& progress) {
    auto inReference = anyNan(reference, progress);
    if (!inReference) return inReference.error();
    if (!*inReference) return false;
    for (const TensorView* v : {&fp64, &candidate}) {
        auto nan = anyNan(*v, progress);
        if (!nan) return nan.error();
        if (*nan) return false;
    }
    auto truth = rounding(fp64, candidate.dtype);
    if (!truth) return truth.error();
    return torchAllclose(truth->view(), candidate, kLooseTol, o.equalNan, progress);
}

Result<RuleOutcome> byRmse(const TensorView& reference, const TensorView& candidate, const TensorView& fp64,
                           const SameOptions& o, const Progress& progress) {
    const std::int64_t n = reference.elements();
    auto better = betterThanReference(reference, candidate, fp64, o, progress);
    if (!better) return better.error();
    if (*better)
        return answer(true, "only the reference holds NaN, and the candidate is within 0.04 of fp64", n);
    auto ofReference = rootMeanSquare(fp64, reference, progress);
    if (!ofReference) return ofReference.error();
    auto ofCandidate = rootMeanSquare(fp64, candidate, progress);
    if (!ofCandidate) return ofCandidate.error();
    const double k = multiplier(reference, candidate.dtype, o);
    const double limit = k * *ofReference + o.tol / 10.0;
    const bool bothNan = o.equalNan && std::isnan(*ofReference) && std::isnan(*ofCandidate);
    RuleOutcome out = answer(*ofCandidate <= limit || bothNan, fmt::format("k = {}", k), n);
    out.statistic = RuleStatistic{"rmse", *ofCandidate, {}, *ofReference, limit};
    return out;
}

} // namespace

Result<RuleOutcome> torchSame(const TensorView& reference, const TensorView& candidate,
                              const std::optional<TensorView>& fp64, const SameOptions& o,
                              const Progress& progress) {
    const TensorView& truth = fp64 ? *fp64 : reference;
    if (truth.shape != reference.shape || candidate.shape != reference.shape)
        return Error{ErrorCode::mismatch,
                     fmt::format("shapes differ: {} in the reference, {} in the candidate, {} in fp64",
                                 toString(reference.shape), toString(candidate.shape), toString(truth.shape)),
                     "", "eager-rmse needs three tensors of one shape"};
    for (const DType t : {reference.dtype, candidate.dtype, truth.dtype})
        if (isComplex(t))
            return Error{ErrorCode::mismatch, fmt::format("the rule eager-rmse does not take {}", name(t)),
                         "", "compare complex tensors under allclose, numpy or torch"};
    const std::int64_t n = reference.elements();
    if (o.exactDType && reference.dtype != candidate.dtype)
        return answer(
            false, fmt::format("dtypes differ: {} and {}", name(reference.dtype), name(candidate.dtype)), n);
    if (o.exactDType && reference.dtype == DType::boolean) return booleans(reference, candidate, o, progress);
    if (o.cosine) return byCosine(reference, candidate, o, progress);
    Result<Tensor> cast = rounding(reference, candidate.dtype);
    if (!cast) return cast.error();
    const TensorView& eager = cast->view();
    auto close = torchAllclose(eager, candidate, o.tol, o.equalNan, progress);
    if (!close) return close.error();
    if (*close) return answer(true, "within tol", n);
    if (truth.dtype == DType::f64) return byRmse(eager, candidate, truth, o, progress);
    if (o.ignoreNonFloat) return answer(true, "there is no fp64, and what is not floating is ignored", n);
    return answer(false, fmt::format("allclose not within tol {}, and there is no fp64", o.tol), n);
}

} // namespace divdet::rules
