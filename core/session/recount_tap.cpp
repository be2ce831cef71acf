#include "session/recount_tap.h"

#include "compare/rules/evaluate.h"

namespace divdet {

Result<AtTolerance> recountTap(const TapPair& pair, const Tolerance& tolerance, const Progress& progress) {
    if (!pair.load)
        return Error{ErrorCode::notFound, "the elements of this pair are not at hand", pair.name,
                     "open the files again"};
    auto data = pair.load();
    if (!data) return data.error();
    if (hasFrontier(tolerance.rule))
        return recount(data->reference.view(), data->candidate.view(), tolerance, progress,
                       data->mask ? std::optional(data->mask->view()) : std::nullopt);
    RuleInput input{data->reference.view(), data->candidate.view(), {}, {}};
    if (data->mask) input.mask = data->mask->view();
    if (data->fp64) input.fp64 = data->fp64->view();
    auto ruled = evaluateRule(input, tolerance, progress);
    if (!ruled) return ruled.error();
    AtTolerance out;
    out.tolerance = tolerance;
    out.mismatches = info(tolerance.rule).wholeTensor && !ruled->passes ? ruled->elements : ruled->mismatches;
    out.firstMismatch = ruled->firstMismatch;
    out.worst = ruled->worst;
    return out;
}

} // namespace divdet
