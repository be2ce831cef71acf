#include "cli/saved_result.h"

namespace divdet::cli {

Result<SavedResult> reopen(const DumpOptions& dumps, const ToleranceOverrides& overrides,
                           const std::string& judge) {
    if (!isResultFile(dumps.reference) && std::filesystem::exists(dumps.reference))
        return Error{ErrorCode::usage, "only one file is named, and it is no result file", dumps.reference,
                     "name a reference and a candidate, or a file that --save wrote"};
    if (dumps.pairs.size() + dumps.only.size() + dumps.skip.size() + dumps.order.size() > 0 ||
        !dumps.map.empty() || dumps.squeeze || !dumps.referenceDType.empty() ||
        !dumps.candidateDType.empty() || !dumps.referenceField.empty() || !dumps.candidateField.empty() ||
        dumps.reshape || !dumps.ranks.empty() || dumps.transpose.size() + dumps.splits.size() > 0 ||
        !(dumps.referenceRunner + dumps.candidateRunner + dumps.referenceShape + dumps.candidateShape)
             .empty())
        return Error{ErrorCode::usage, "a result file is paired already", dumps.reference,
                     "compare the dumps again to pair them otherwise"};
    if (!(dumps.declare + dumps.context + dumps.inputs).empty() || dumps.k ||
        dumps.runs.size() + dumps.roles.size() + dumps.axes.size() > 0)
        return Error{ErrorCode::usage, "the causes in a result file are judged already", dumps.reference,
                     "compare the dumps again to tell the judge more"};
    return reopenResult({dumps.reference, overrides, parseJudgeSelection(judge), dumps.ignoreMissing});
}

} // namespace divdet::cli
