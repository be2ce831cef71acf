#include "session/reopen_result.h"

#include <algorithm>

#include <fmt/format.h>

namespace divdet {

Result<SavedResult> reopenResult(const ReopenRequest& request) {
    auto saved = readResult(request.path);
    if (!saved) return saved.error();
    Tolerance t = request.overrides.over(saved->result.tolerance);
    t.equalNan = t.equalNan || saved->result.tolerance.equalNan;
    saved->result.tolerance = t;
    auto comparison = std::make_shared<Comparison>(*saved->result.comparison);
    if (request.judge.kind == JudgeSelection::Kind::named)
        for (const auto& n : request.judge.names)
            if (std::none_of(comparison->pairs.begin(), comparison->pairs.end(),
                             [&](const auto& p) { return p.name == n; }))
                return Error{ErrorCode::usage, fmt::format("no pair is named '{}'", n), "--judge",
                             "divdet inspect lists the pairs of a result file"};
    if (request.judge.kind != JudgeSelection::Kind::standard) {
        for (auto& p : comparison->pairs) p.judged = isJudged(request.judge, p.name, true);
        saved->result.request.judge = request.judge;
        const auto judges = [&](const std::string& n) { return isJudged(request.judge, n, true); };
        const auto any = [&](const std::vector<std::string>& names) {
            return std::any_of(names.begin(), names.end(), judges);
        };
        comparison->missingJudged = !saved->result.request.ignoreMissing &&
                                    (any(comparison->onlyInReference) || any(comparison->onlyInCandidate));
    }
    if (request.ignoreMissing) {
        comparison->missingJudged = comparison->partial = false;
        saved->result.request.ignoreMissing = true;
    }
    saved->result.comparison = std::move(comparison);
    return saved;
}

} // namespace divdet
