#include "compare/rules/polygraphy_rule.h"

#include <fmt/format.h>

#include "compare/rules/polygraphy_block.h"
#include "compare/rules/polygraphy_statistics.h"
#include "compare/rules/precision.h"

namespace divdet::rules {
namespace {

Status checkTypes(const TensorView& reference, const TensorView& candidate, Rule rule) {
    for (const DType t : {reference.dtype, candidate.dtype})
        if (isComplex(t))
            return Error{ErrorCode::mismatch,
                         fmt::format("the rule {} does not take {}", toString(rule), name(t)), "",
                         "compare complex tensors under allclose, numpy or torch"};
    if (rule == Rule::polygraphyQuantile && reference.elements() > 0 && reference.dtype == DType::boolean &&
        candidate.dtype == DType::boolean)
        return Error{ErrorCode::mismatch, "there is no quantile of bool against bool", "",
                     "compare them under polygraphy-elemwise"};
    return Done{};
}

/// Polygraphy compares in double whatever the array's type is.
bool exceeds(double difference, double tolerance) {
    return std::isnan(difference) || difference > tolerance;
}

} // namespace

Result<BlockRule> polygraphyElemwise(const TensorView& reference, const TensorView& candidate,
                                     const Tolerance& tolerance) {
    if (auto s = checkTypes(reference, candidate, Rule::polygraphyElemwise); !s) return s.error();
    const bool infinitiesEqual = tolerance.options.infinitiesEqual;
    const double atol = tolerance.atol, rtol = tolerance.rtol;
    return BlockRule([=](std::int64_t first, int count, RuleBlock& out) {
        auto block = std::make_unique<PolyBlock>();
        loadPolyBlock(reference, candidate, infinitiesEqual, first, count, *block);
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            out.candidate[i] = block->candidate[i];
            out.reference[i] = block->reference[i];
            out.error[i] = block->abs[i];
            out.bound[i] = std::max(atol, rtol * block->magnitude[i]);
            out.passes[i] = !(exceeds(block->abs[i], atol) && exceeds(block->rel[i], rtol));
        }
    });
}

Result<RuleOutcome> polygraphyStatistic(const TensorView& reference, const TensorView& candidate,
                                        const Tolerance& tolerance, const Progress& progress) {
    if (auto s = checkTypes(reference, candidate, tolerance.rule); !s) return s.error();
    auto found = polygraphyDifferences(reference, candidate, tolerance, progress);
    if (!found) return found.error();
    RuleOutcome out;
    out.elements = reference.elements();
    out.statistic = RuleStatistic{std::string(found->name), found->abs, found->rel, {}, {}};
    out.passes = !(exceeds(found->abs, tolerance.atol) && exceeds(found->rel, tolerance.rtol));
    return out;
}

} // namespace divdet::rules
